/** A statement in lower case on one line, without comments, texts and bodies of functions, and the comments above and in it. */
export interface Statement {
  readonly text: string
  readonly comments: string
}

const TOKEN = /(?<comment>--[^\n]*)|(?<text>\$(?<tag>\w*)\$[^]*?\$\k<tag>\$|'(?:[^']|'')*')|(?<end>;)|[^]/g

/** The statements of a file; each clause of one that alters a table counts as a statement. */
export function statementsOf(sql: string): Statement[] {
  const statements: Statement[] = []
  let [text, comments] = ['', '']
  const end = () => {
    const line = text.replaceAll(/\s+/g, ' ').trim().toLowerCase()
    if (line !== '') statements.push(...clausesOf(line).map((clause) => ({ text: clause, comments })))
    text = ''
    comments = ''
  }
  for (const { 0: token, groups } of sql.matchAll(TOKEN)) {
    if (groups?.['comment'] !== undefined) {
      comments += `${token}\n`
      text += ' '
    } else if (groups?.['end'] !== undefined) end()
    else text += groups?.['text'] === undefined ? token : "''"
  }
  end()
  return statements
}

function clausesOf(statement: string): string[] {
  const altered = /^alter table (?:if exists )?(?:only )?[\w."]+ /.exec(statement)?.[0]
  if (altered === undefined) return [statement]
  const clauses = ['']
  let depth = 0
  for (const character of statement.slice(altered.length)) {
    if (character === '(') depth++
    if (character === ')') depth--
    if (character === ',' && depth === 0) clauses.push('')
    else clauses.push(`${clauses.pop()}${character}`)
  }
  return clauses.map((clause) => altered + clause.trim())
}
