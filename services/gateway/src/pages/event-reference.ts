import { allDomainEvents, type DomainEvent, outputSchema } from '@tms/contracts'
import { type Express, html } from '@tms/service-kit'
import { pageHeaders, referencePage } from './reference-page.ts'

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1f2328;background:#fff}
summary{cursor:pointer;padding:.25rem 0}code,pre{font:14px/1.4 ui-monospace,monospace}pre{overflow:auto;padding:1rem;background:#f3f4f6}
@media (prefers-color-scheme:dark){body{color:#e6edf3;background:#0d1117}pre{background:#161b22}a{color:#79c0ff}}`

/** Adds the page that lists what services tell each other. */
export function addEventReference(
  app: Express,
  paths: { path: string; asyncApi: string; api: string },
): void {
  let page: string | undefined
  app.get(paths.path, (_request, response) => {
    page ??= write(paths)
    response.set(pageHeaders).type('html').send(page)
  })
}

function write({ asyncApi, api }: { asyncApi: string; api: string }): string {
  const producers = [...new Set(allDomainEvents.map(({ producer }) => producer))]
  return referencePage({
    title: 'Domain events',
    head: html`<style>${STYLE}</style>`,
    body: html`<main>
<h1>Domain events</h1>
<p>What services tell each other over RabbitMQ; also as <a href="${asyncApi}">an AsyncAPI document</a>, which says how to consume them. Clients follow <a href="${api}">the API</a> instead.</p>
${producers.map(
  (producer) => html`<h2>${producer}</h2>
${allDomainEvents.filter((event) => event.producer === producer).map(entryOf)}`,
)}
</main>`,
  })
}

const entryOf = ({ name, summary, payload }: DomainEvent) =>
  html`<details id="${name}"><summary><code>${name}</code> ${summary}</summary>
<pre>${JSON.stringify(outputSchema(payload), null, 2)}</pre></details>
`
