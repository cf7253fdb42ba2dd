import { readFileSync } from 'node:fs'

/**
 * Has Prisma's query compiler read from a file. Its client has it as a module, as text in base64, which V8 would keep beside
 * what is made of it.
 */
export function prismaCompiler() {
  return {
    name: 'prisma-compiler',
    load: {
      filter: { id: /query_compiler_\w+\.postgresql\.wasm-base64\.mjs$/ },
      handler(id) {
        const [, base64] = /"(?<text>[\w+/=]+)"/.exec(readFileSync(id, 'utf8')) ?? []
        if (base64 === undefined) this.error(`${id} is not what it was`)
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
