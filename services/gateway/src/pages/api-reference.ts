import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type Express, html } from '@tms/service-kit'
import { addDocument } from './document.ts'
import { pageHeaders, referencePage } from './reference-page.ts'

/** The files of the package that the page needs. */
const ASSETS = [
  ['swagger-ui.css', 'css'],
  ['swagger-ui-bundle.js', 'text/javascript'],
  ['favicon-32x32.png', 'png'],
] as const

/**
 * Adds the page where the API can be read and tried. Keys that are typed into it stay in the page and are sent only
 * to this gateway.
 */
export function addApiReference(
  app: Express,
  paths: { path: string; openApi: string; events: string },
): void {
  const { path, openApi, events } = paths
  const require = createRequire(import.meta.url)
  const folder = dirname(require.resolve('swagger-ui-dist/package.json'))
  for (const [name, type] of ASSETS) {
    addDocument(app, `${path}/${name}`, {
      type,
      headers: { 'x-content-type-options': 'nosniff' },
      create: () => readFileSync(join(folder, name)),
    })
  }
  const start = `SwaggerUIBundle(${JSON.stringify({
    url: openApi,
    dom_id: '#reference',
    deepLinking: true,
    docExpansion: 'list',
    filter: true,
    operationsSorter: 'alpha',
    defaultModelsExpandDepth: -1,
    displayRequestDuration: true,
    tryItOutEnabled: true,
    validatorUrl: null,
  })})`
  addDocument(app, `${path}/start.js`, {
    type: 'text/javascript',
    headers: { 'x-content-type-options': 'nosniff' },
    create: () => start,
  })
  const page = referencePage({
    title: 'API',
    head: html`<link rel="icon" href="${path}/favicon-32x32.png">
<link rel="stylesheet" href="${path}/swagger-ui.css">
<script src="${path}/swagger-ui-bundle.js" defer></script>
<script src="${path}/start.js" defer></script>`,
    body: html`<div id="reference"><p>The API, as <a href="${openApi}">an OpenAPI document</a>; to read and try it here, a browser has to run scripts.</p></div>
<p><a href="${events}">Events</a>: those that clients receive, and those that services publish to each other.</p>`,
  })
  addDocument(app, path, { type: 'html', headers: pageHeaders, create: () => page })
}
