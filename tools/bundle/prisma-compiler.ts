import { readFileSync } from 'node:fs'
import type { Plugin } from 'rolldown'

/**
 * Loads Prisma's query compiler from a file. Prisma's client has it as base64 text in a module, which V8 would keep in memory
 * beside the decoded bytes.
 */
export function prismaCompiler(): Plugin {
  return {
    name: 'prisma-compiler',
    load: {
      filter: { id: /query_compiler_\w+\.postgresql\.wasm-base64\.mjs$/ },
      handler(id) {
        const [, base64] = /"(?<text>[\w+/=]+)"/.exec(readFileSync(id, 'utf8')) ?? []
        if (base64 === undefined) this.error(`${id} has changed: see tools/bundle/prisma-compiler.ts`)
        const fileName = 'query-compiler.wasm'
        this.emitFile({ type: 'asset', fileName, source: Buffer.from(base64, 'base64') })
        const lines = [
          "import { readFileSync } from 'node:fs'",
          `export const wasm = readFileSync(new URL('./${fileName}', import.meta.url))`,
        ]
        return { code: lines.join('\n'), moduleSideEffects: false }
      },
    },
  }
}
