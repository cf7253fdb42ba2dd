/** What a message of a kind of its own shows first: a poll's question and options, or a list's title and tasks. */
export type Widget =
  | {
      readonly widget_type: 'poll'
      readonly extra_data: { readonly question: string; readonly options: readonly string[] }
    }
  | {
      readonly widget_type: 'todo'
      readonly extra_data: {
        readonly task_list_title: string
        readonly tasks: readonly { readonly task: string; readonly desc: string }[]
      }
    }

const COMMAND = /^\/(poll|todo)(?=\s|$)/
/** What a line of a list begins with. */
const BULLET = /^[-*]?\s*/

/**
 * The widget that a message's raw text asks for with `/poll` or `/todo`: what follows on the line is the question or
 * title, each further line an option or a `task: description`. Null for any other text. Its JSON is the content of
 * the message's first submessage, of type `widget`.
 */
export function widgetOf(content: string): Widget | null {
  const [command, widget_type] = COMMAND.exec(content) ?? []
  if (command === undefined) return null
  const [first = '', ...others] = content.slice(command.length).split(/\r\n|[\n\r]/)
  const title = first.trim()
  const items = others.map((line) => line.trim().replace(BULLET, '')).filter((item) => item !== '')
  if (widget_type === 'poll') return { widget_type, extra_data: { question: title, options: items } }
  return { widget_type: 'todo', extra_data: { task_list_title: title, tasks: items.map(taskOf) } }
}

function taskOf(item: string): { task: string; desc: string } {
  const colon = item.indexOf(':')
  if (colon < 0) return { task: item, desc: '' }
  return { task: item.slice(0, colon).trim(), desc: item.slice(colon + 1).trim() }
}
