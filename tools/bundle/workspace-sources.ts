import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'rolldown'

/** A library of the workspace, with the path of a further export. */
const LIBRARY = /^@tms\/([\w-]+)(\/.+)?$/

/**
 * Bundles libraries of the workspace from their sources, so that source maps refer to them and bundling doesn't depend on the
 * compiler.
 */
export function workspaceSources(repoRoot: string): Plugin {
  return {
    name: 'workspace-sources',
    resolveId: {
      filter: { id: LIBRARY },
      handler(source) {
        const [, name = '', path = ''] = LIBRARY.exec(source) ?? []
        const folder = join(repoRoot, 'libs', name)
        const { exports }: { exports: Record<string, { default: string }> } = JSON.parse(
          readFileSync(join(folder, 'package.json'), 'utf8'),
        )
        const built = exports[`.${path}`]?.default
        if (built === undefined) this.error(`${folder} exports no .${path}`)
        return { id: join(folder, built.replace('./dist/', './src/').replace(/\.js$/, '.ts')) }
      },
    },
    transform: {
      filter: { id: { include: /\.ts$/, exclude: /\/node_modules\// }, code: /\bhtml`/ },
      // V8 stores a file with two bytes per character if any isn't ASCII. The bundler escapes all texts but these.
      handler: (code) => ({ code: code.replaceAll(/[^\0-\x7f]/g, escape), map: null }),
    },
  }
}

function escape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
