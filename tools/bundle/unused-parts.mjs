const CHECK = "typeof Response === 'function'"
const EMPTY = '\0empty'

/**
 * Leaves out what libraries load and no service uses. pg finds out whether it runs at Cloudflare by making a `Response`, which
 * loads Node's `fetch`, 4 MB. Express loads parsers of bodies, a seventh of what loading a service takes: bodies are
 * read by the service kit, and whoever calls `express.json()` learns at the start that it is no function.
 */
export function unusedParts() {
  return {
    name: 'unused-parts',
    resolveId: { filter: { id: /^body-parser$/ }, handler: () => EMPTY },
    load: { filter: { id: /^\0empty$/ }, handler: () => 'module.exports = {}' },
    transform: {
      filter: { id: /\/node_modules\/pg\/lib\/stream\.js$/ },
      handler(code) {
        if (!code.includes(CHECK))
          this.error('pg asks otherwise where it runs: see tools/bundle/unused-parts.mjs')
        return { code: code.replace(CHECK, 'false'), map: null }
      },
    },
  }
}
