const EMPTY = '\0empty'

/** What is replaced in which file, so that nothing is done for what no service uses. */
const REPLACED = [
  // pg finds out whether it runs at Cloudflare by making a `Response`, which loads Node's `fetch`, 4 MB.
  { file: /\/node_modules\/pg\/lib\/stream\.js$/, code: "typeof Response === 'function'", by: 'false' },
  // pino notes who makes a logger, for transports alone; Node reads the source map of the whole service to say it.
  { file: /\/node_modules\/pino\/pino\.js$/, code: 'caller()', by: '[]' },
]

/**
 * Leaves out what libraries load or do and no service uses. Express loads parsers of bodies, a seventh of what loading a
 * service takes: bodies are read by the service kit, and whoever calls `express.json()` learns at the start that it is no
 * function.
 */
export function unusedParts() {
  return {
    name: 'unused-parts',
    resolveId: { filter: { id: /^body-parser$/ }, handler: () => EMPTY },
    load: { filter: { id: /^\0empty$/ }, handler: () => 'module.exports = {}' },
    transform: {
      filter: { id: REPLACED.map(({ file }) => file) },
      handler(code, id) {
        const { code: unused, by } = REPLACED.find(({ file }) => file.test(id))
        if (!code.includes(unused)) this.error(`${id} has no ${unused}: see tools/bundle/unused-parts.mjs`)
        return { code: code.replace(unused, by), map: null }
      },
    },
  }
}
