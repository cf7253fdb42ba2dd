import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A library of the workspace, and below it one of its other exports. */
const LIBRARY = /^@tms\/(?<name>[\w-]+)(?<path>\/.+)?$/

/**
 * Takes libraries of the workspace from their sources, so that source maps lead there and bundling needn't wait for the
 * compiler.
 */
export function workspaceSources(repoRoot) {
  return {
    name: 'workspace-sources',
    resolveId: {
      filter: { id: LIBRARY },
      handler(source) {
        const { name, path = '' } = LIBRARY.exec(source).groups
        const folder = join(repoRoot, 'libs', name)
        const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
        const built = exports[`.${path}`].default
        return { id: join(folder, built.replace('./dist/', './src/').replace(/\.js$/, '.ts')) }
      },
    },
    transform: {
      filter: { id: { include: /\.ts$/, exclude: /\/node_modules\// }, code: /\bhtml`/ },
      // V8 keeps a file as two bytes a character as soon as one needs it. The bundler escapes those of all other texts.
      handler: (code) => ({ code: code.replaceAll(/[^\0-\x7f]/g, escape), map: null }),
    },
  }
}

function escape(character) {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
