import { allDomainEvents, clientEvents, type DomainEvent, outputSchema } from '@tms/contracts'
import { type Express, html } from '@tms/service-kit'
import { addDocument } from './document.ts'
import { pageHeaders, referencePage } from './reference-page.ts'

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1f2328;background:#fff}
summary{cursor:pointer;padding:.25rem 0}code,pre{font:14px/1.4 ui-monospace,monospace}pre{overflow:auto;padding:1rem;background:#f3f4f6}
@media (prefers-color-scheme:dark){body{color:#e6edf3;background:#0d1117}pre{background:#161b22}a{color:#79c0ff}}`

/** Adds the page that lists the events that clients receive, and those that services publish to each other. */
export function addEventReference(
  app: Express,
  paths: { path: string; asyncApi: string; api: string },
): void {
  addDocument(app, paths.path, { type: 'html', headers: pageHeaders, create: () => write(paths) })
}

function write({ asyncApi, api }: { asyncApi: string; api: string }): string {
  const producers = [...new Set(allDomainEvents.map(({ producer }) => producer))]
  return referencePage({
    title: 'Events',
    head: html`<style>${STYLE}</style>`,
    body: html`<main>
<h1>Events</h1>
<p>All of them are also in <a href="${asyncApi}">an AsyncAPI document</a>.</p>
<h2 id="client-events">Events for clients</h2>
<p>The members of <code>events</code> in an answer to <code>GET /events</code>, by their <code>type</code>; <a href="${api}">the API</a> says how to follow them.</p>
${clientEvents.map(clientEntryOf)}
<h2 id="domain-events">Events between services</h2>
<p>Domain events, over RabbitMQ; the AsyncAPI document says how to consume them.</p>
${producers.map(
  (producer) => html`<h3>${producer}</h3>
${allDomainEvents.filter((event) => event.producer === producer).map(entryOf)}`,
)}
</main>`,
  })
}

const clientEntryOf = ({ name, type, summary, schema }: (typeof clientEvents)[number]) =>
  html`<details id="${name}"><summary><code>${type}</code> ${summary} (<code>${name}</code>)</summary>
<pre tabindex="0">${JSON.stringify(outputSchema(schema), null, 2)}</pre></details>
`

const entryOf = ({ name, summary, payload }: DomainEvent) =>
  html`<details id="${name}"><summary><code>${name}</code> ${summary}</summary>
<pre tabindex="0">${JSON.stringify(outputSchema(payload), null, 2)}</pre></details>
`
