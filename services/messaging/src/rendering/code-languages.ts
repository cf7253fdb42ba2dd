/** Canonical lexer name by lower-case alias: what clients match code playgrounds against. */
const NAME_BY_ALIAS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    Bash: ['bash', 'sh', 'shell', 'zsh', 'ksh'],
    C: ['c', 'h'],
    'C++': ['c++', 'cpp', 'hpp', 'cc'],
    'C#': ['c#', 'csharp', 'cs'],
    Clojure: ['clojure', 'clj'],
    CSS: ['css'],
    Dart: ['dart'],
    Diff: ['diff', 'patch', 'udiff'],
    Docker: ['docker', 'dockerfile'],
    Elixir: ['elixir', 'ex', 'exs'],
    Erlang: ['erlang', 'erl'],
    Go: ['go', 'golang'],
    GraphQL: ['graphql'],
    Haskell: ['haskell', 'hs'],
    HTML: ['html'],
    INI: ['ini', 'cfg', 'dosini'],
    Java: ['java'],
    JavaScript: ['javascript', 'js'],
    JSON: ['json'],
    Julia: ['julia', 'jl'],
    Kotlin: ['kotlin', 'kt'],
    Lua: ['lua'],
    Makefile: ['makefile', 'make', 'mf'],
    Markdown: ['markdown', 'md'],
    'Objective-C': ['objective-c', 'objectivec', 'objc'],
    OCaml: ['ocaml'],
    Perl: ['perl', 'pl'],
    PHP: ['php'],
    PowerShell: ['powershell', 'ps1', 'pwsh'],
    Python: ['python', 'py', 'python3', 'py3'],
    Ruby: ['ruby', 'rb'],
    Rust: ['rust', 'rs'],
    Scala: ['scala'],
    SCSS: ['scss'],
    SQL: ['sql'],
    Swift: ['swift'],
    'Text only': ['text'],
    TOML: ['toml'],
    TypeScript: ['typescript', 'ts'],
    XML: ['xml', 'xsl'],
    YAML: ['yaml', 'yml'],
  }).flatMap(([name, aliases]) => aliases.map((alias) => [alias, name] as const)),
)

/** The canonical name of the language of a fence's info string, the raw label if unknown, or null. */
export function codeLanguage(info: string): string | null {
  // `{.python hl_lines="1"}` and `.python` are older ways to write `python`.
  const label = /^\{?\s*\.?([^\s{}]+)/.exec(info.trim())?.[1]
  if (label === undefined) return null
  return NAME_BY_ALIAS.get(label.toLowerCase()) ?? label
}
