import type { Names } from './contents.ts'

/** Names of the same form as these, which are nobody's. */
export function nobodys(names: Names): Names {
  let given = 1_900_000_000
  const nobodysOf = (name: string): string => (/^\d+$/.test(name) ? String(++given) : scrambled(name))
  const entries = Object.entries(names).map(([kind, name]) => [kind, nobodysOf(name)])
  return Object.fromEntries(entries) as unknown as Names
}

/** Other letters and digits of the same length, but for what says where and what it is. */
function scrambled(name: string): string {
  const [prefix = ''] = /^\/user_(uploads|avatars)\/\d+\/(emoji\/images\/|realm\/)?/.exec(name) ?? []
  const [suffix = ''] = /(\.\w+|@.*)$/.exec(name) ?? []
  const middle = name.slice(prefix.length, name.length - suffix.length)
  return prefix + middle.replaceAll(/[a-f0-9]/g, hexBeside).replaceAll(/[g-z]/g, letterBeside) + suffix
}

const hexBeside = (digit: string): string => ((Number.parseInt(digit, 16) + 1) % 16).toString(16)
const letterBeside = (letter: string): string =>
  letter === 'z' ? 'g' : String.fromCharCode(letter.charCodeAt(0) + 1)
