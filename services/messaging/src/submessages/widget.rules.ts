import { badRequest, type EndpointInput, type endpoints, limits } from '@tms/contracts'

/**
 * The widget of a message: buttons, the question and options of a poll, or the title and tasks of a to-do list.
 */
export type Widget = NonNullable<EndpointInput<typeof endpoints.messaging.sendMessage>['widget_content']>

/** Whether a first submessage is a widget. */
export function isWidget(submessage: string): boolean {
  const first: unknown = JSON.parse(submessage)
  return typeof first === 'object' && first !== null && 'widget_type' in first && 'extra_data' in first
}

const COMMAND = /^\/(poll|todo)(?=\s|$)/
/** Start of a line in a list. */
const BULLET = /^[-*]?\s*/

/**
 * Returns the widget in a send request, else the one that the raw text describes. Throws BAD_REQUEST if it is
 * longer than a submessage may be.
 */
export function findWidget(content: string, sent: Widget | undefined): Widget | null {
  if (sent === undefined) return parseWidget(content)
  if (Array.from(JSON.stringify(sent)).length > limits.maxMessageLength)
    throw badRequest('widget_content is too long')
  return sent
}

/**
 * Parses the widget that a raw text describes with `/poll` or `/todo`: the rest of the line is the question or
 * title, and each further line an option or a `task: description`. Null for other texts. Its JSON is the content
 * of the first submessage of the message, of type `widget`.
 */
export function parseWidget(content: string): Widget | null {
  const [command, widget_type] = COMMAND.exec(content) ?? []
  if (command === undefined) return null
  const [first = '', ...others] = content.slice(command.length).split(/\r\n|[\n\r]/)
  const title = first.trim()
  const items = others.map((line) => line.trim().replace(BULLET, '')).filter((item) => item !== '')
  if (widget_type === 'poll') return { widget_type, extra_data: { question: title, options: items } }
  return { widget_type: 'todo', extra_data: { task_list_title: title, tasks: items.map(parseTask) } }
}

function parseTask(item: string): { task: string; desc: string } {
  const colon = item.indexOf(':')
  if (colon < 0) return { task: item, desc: '' }
  return { task: item.slice(0, colon).trim(), desc: item.slice(colon + 1).trim() }
}
