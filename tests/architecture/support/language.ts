// The words that docs/glossary.md replaces, and where a text still has one of them.

export interface ReplacedWord {
  readonly word: string
  /** What to say instead, as the glossary lists it. */
  readonly say: string
}

const HEADER = /^\|\s*say\s*\|\s*not\s*\|\s*means\s*\|$/

/** The words in backticks of the column `not`, in the glossary's table of replaced words. Throws if there is no table. */
export function replacedWords(glossary: string): readonly ReplacedWord[] {
  const lines = glossary.split('\n').map((line) => line.trim())
  const header = lines.findIndex((line) => HEADER.test(line))
  if (header < 0) throw new Error('the glossary has no table | say | not | means |')
  const rows = lines.slice(header + 2)
  const end = rows.findIndex((line) => !line.startsWith('|'))
  return rows.slice(0, end < 0 ? rows.length : end).flatMap((row) => {
    const [say = '', not = ''] = row.slice(1).split('|')
    return [...not.matchAll(/`([^`]+)`/g)].map(([, word = '']) => ({ word, say: oneOf(say.trim()) }))
  })
}

/** 'delivered, published, returned' as 'delivered, published or returned'. */
function oneOf(list: string): string {
  const words = list.split(/,\s*/)
  return words.length === 1 ? list : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

/** The words of a line in lower case, those within identifiers such as `userRole` and `USER_ROLE` too. */
export function wordsOf(line: string): readonly string[] {
  return line
    .replaceAll(/([a-z\d])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$2 ')
    .split(/[^A-Za-z]+/)
    .map((word) => word.toLowerCase())
}

/** Each replaced word of a file, as `path:line: 'word': say …`. */
export function findReplacedWords(path: string, text: string, replaced: readonly ReplacedWord[]): string[] {
  const sayings = new Map(replaced.map(({ word, say }) => [word, say]))
  return text
    .split('\n')
    .flatMap((line, index) =>
      [...new Set(wordsOf(line))]
        .filter((word) => sayings.has(word))
        .map((word) => `${path}:${index + 1}: '${word}': say ${sayings.get(word)}`),
    )
}

/** Names of the types that a file declares and exports; a name that it only passes on isn't one. */
export function exportedTypes(text: string): readonly string[] {
  const declarations = text.matchAll(/^export (?:declare )?(?:abstract )?(?:interface|class|type) (\w+)/gm)
  return [...new Set([...declarations].map(([, name = '']) => name))]
}

/** A text in quotes, on one line. */
const TEXT = /'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\\n]|\\.)*)`/g
const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm
/** Too few words for a sentence that a user or operator reads. */
const MIN_WORDS = 4
/** An identifier such as `userRole` among words; in backticks it names something that the reader knows. */
const IDENTIFIER = /(?<=\s)[a-z]+[A-Z][A-Za-z]*(?![^\s,.;:?!)])/g

/** Each identifier that stands in a sentence of a file like a word, as `path: 'identifier' in 'sentence'`. */
export function findIdentifiersInSentences(path: string, text: string): string[] {
  return [...text.replaceAll(COMMENT, '').matchAll(TEXT)].flatMap(([, single, double, template]) => {
    const sentence = single ?? double ?? template ?? ''
    const words = sentence.replaceAll(/`[^`]*`|\$\{[^}]*\}/g, '…')
    if (words.trim().split(/\s+/).length < MIN_WORDS) return []
    return [...words.matchAll(IDENTIFIER)].map(([identifier]) => `${path}: '${identifier}' in '${sentence}'`)
  })
}
