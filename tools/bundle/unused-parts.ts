import type { Plugin } from 'rolldown'

const EMPTY = '\0empty'

/** Code that is replaced, since no service uses it. */
const REPLACEMENTS = [
  // pg detects Cloudflare by creating a `Response`, which loads Node's `fetch`, 4 MB.
  { file: /\/node_modules\/pg\/lib\/stream\.js$/, code: "typeof Response === 'function'", by: 'false' },
  // pino records the caller that creates a logger, for transports only; Node reads the whole source map for it.
  { file: /\/node_modules\/pino\/pino\.js$/, code: 'caller()', by: '[]' },
]

/**
 * Removes parts of libraries that no service uses. Express loads body parsers, a seventh of a service's load time; the
 * service kit reads bodies itself. A call of `express.json()` fails at the start: not a function.
 */
export function unusedParts(): Plugin {
  return {
    name: 'unused-parts',
    resolveId: { filter: { id: /^body-parser$/ }, handler: () => EMPTY },
    load: { filter: { id: /^\0empty$/ }, handler: () => 'module.exports = {}' },
    transform: {
      filter: { id: REPLACEMENTS.map(({ file }) => file) },
      handler(code, id) {
        const replacement = REPLACEMENTS.find(({ file }) => file.test(id))
        if (replacement === undefined || !code.includes(replacement.code))
          this.error(`${id} has no ${replacement?.code}: see tools/bundle/unused-parts.ts`)
        return { code: code.replace(replacement.code, replacement.by), map: null }
      },
    },
  }
}
