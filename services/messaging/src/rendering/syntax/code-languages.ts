import { CODE_LANGUAGE_NAMES } from './code-language-names.ts'

/** A language of code blocks. */
export interface CodeLanguage {
  /** Canonical lexer name, by which clients find code playgrounds; the label as written if it is unknown. */
  readonly name: string
  /** The highlighter's name of the grammar; null if it has none. */
  readonly grammar: string | null
}

/** The highlighter's grammars by the name of the language. */
const GRAMMARS: ReadonlyMap<string, string> = new Map([
  ['Bash', 'bash'],
  ['Bash Session', 'shell'],
  ['C', 'c'],
  ['C++', 'cpp'],
  ['C#', 'csharp'],
  ['Clojure', 'clojure'],
  ['CSS', 'css'],
  ['Dart', 'dart'],
  ['Diff', 'diff'],
  ['Docker', 'dockerfile'],
  ['Elixir', 'elixir'],
  ['Erlang', 'erlang'],
  ['Go', 'go'],
  ['GraphQL', 'graphql'],
  ['Haskell', 'haskell'],
  ['HTML', 'xml'],
  ['INI', 'ini'],
  ['Java', 'java'],
  ['JavaScript', 'javascript'],
  ['jsx', 'javascript'],
  ['JSON', 'json'],
  ['Julia', 'julia'],
  ['Kotlin', 'kotlin'],
  ['LessCss', 'less'],
  ['Lua', 'lua'],
  ['Makefile', 'makefile'],
  ['Markdown', 'markdown'],
  ['Nginx configuration file', 'nginx'],
  ['Objective-C', 'objectivec'],
  ['OCaml', 'ocaml'],
  ['Perl', 'perl'],
  ['PHP', 'php'],
  ['PowerShell', 'powershell'],
  ['Python', 'python'],
  ['Python console session', 'python-repl'],
  ['Ruby', 'ruby'],
  ['Rust', 'rust'],
  ['S', 'r'],
  ['Scala', 'scala'],
  ['SCSS', 'scss'],
  ['SQL', 'sql'],
  ['Swift', 'swift'],
  ['TeX', 'latex'],
  ['TOML', 'ini'],
  ['TypeScript', 'typescript'],
  ['tsx', 'typescript'],
  ['VB.net', 'vbnet'],
  ['WebAssembly', 'wasm'],
  ['XML', 'xml'],
  ['YAML', 'yaml'],
])

/** Further labels that users write: file extensions. */
const MORE_LABELS: ReadonlyMap<string, string> = new Map([
  ['cc', 'cpp'],
  ['h', 'c'],
  ['hpp', 'cpp'],
  ['kt', 'kotlin'],
  ['patch', 'diff'],
  ['xsl', 'xml'],
  ['yml', 'yaml'],
])

let languages: ReadonlyMap<string, CodeLanguage> | null = null

/** Languages by label, built with the first code block, since most texts have none. */
function languagesByLabel(): ReadonlyMap<string, CodeLanguage> {
  languages ??= new Map(
    CODE_LANGUAGE_NAMES.replaceAll('\n', '')
      .split(';')
      .filter((entry) => entry !== '')
      .flatMap((entry) => {
        const [name = '', ...labels] = entry.split('|')
        const language = { name, grammar: GRAMMARS.get(name) ?? null }
        return labels.map((label) => [label, language] as const)
      }),
  )
  return languages
}

/** The language that a fence's info string or a setting names, or null. */
export function codeLanguage(info: string): CodeLanguage | null {
  const label = fenceLabel(info)
  if (label === null) return null
  const known = label.toLowerCase()
  return languagesByLabel().get(MORE_LABELS.get(known) ?? known) ?? { name: label, grammar: null }
}

/** The first word of an info string; `{.python hl_lines="1"}` and `.python` are older ways to write `python`. */
export function fenceLabel(info: string): string | null {
  return /^\{?\s*\.?([^\s{}]+)/.exec(info.trim())?.[1] ?? null
}
