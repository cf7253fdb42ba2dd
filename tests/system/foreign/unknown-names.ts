import type { Names } from './contents.ts'

/** Names of the same form that belong to nobody. */
export function unknownNames(names: Names): Names {
  let given = 1_900_000_000
  const unknownNameOf = (name: string): string => (/^\d+$/.test(name) ? String(++given) : scrambled(name))
  const entries = Object.entries(names).map(([kind, name]) => [kind, unknownNameOf(name)])
  return Object.fromEntries(entries) as unknown as Names
}

/** Other letters and digits of the same length, except for the prefix and the type. */
function scrambled(name: string): string {
  const [prefix = ''] = /^\/user_(uploads|avatars)\/\d+\/(emoji\/images\/|realm\/)?/.exec(name) ?? []
  const [suffix = ''] = /(\.\w+|@.*)$/.exec(name) ?? []
  const middle = name.slice(prefix.length, name.length - suffix.length)
  return prefix + middle.replaceAll(/[a-f0-9]/g, hexBeside).replaceAll(/[g-z]/g, letterBeside) + suffix
}

const hexBeside = (digit: string): string => ((Number.parseInt(digit, 16) + 1) % 16).toString(16)
const letterBeside = (letter: string): string =>
  letter === 'z' ? 'g' : String.fromCharCode(letter.charCodeAt(0) + 1)
