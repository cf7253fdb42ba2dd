const CHECK = "typeof Response === 'function'"

/**
 * Keeps pg from finding out whether it runs at Cloudflare by making a `Response`: that loads Node's `fetch`, with 4 MB, which no
 * service uses.
 */
export function withoutFetch() {
  return {
    name: 'without-fetch',
    transform: {
      filter: { id: /\/node_modules\/pg\/lib\/stream\.js$/ },
      handler(code) {
        if (!code.includes(CHECK))
          this.error('pg asks otherwise where it runs: see tools/bundle/without-fetch.mjs')
        return { code: code.replace(CHECK, 'false'), map: null }
      },
    },
  }
}
