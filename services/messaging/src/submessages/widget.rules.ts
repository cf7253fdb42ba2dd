import { badRequest, type EndpointInput, type endpoints, limits } from '@tms/contracts'

/** What a message of a kind of its own shows first: buttons, a poll's question and options, or a list's title and tasks. */
export type Widget = NonNullable<EndpointInput<typeof endpoints.messaging.sendMessage>['widget_content']>

/** Whether the first submessage of a message is a widget. */
export function isWidget(submessage: string): boolean {
  const first: unknown = JSON.parse(submessage)
  return typeof first === 'object' && first !== null && 'widget_type' in first && 'extra_data' in first
}

const COMMAND = /^\/(poll|todo)(?=\s|$)/
/** What a line of a list begins with. */
const BULLET = /^[-*]?\s*/

/**
 * The widget that a message is sent with, else what its raw text asks for. Throws BAD_REQUEST for one that is longer than
 * other submessages may be.
 */
export function widgetToSend(content: string, sent: Widget | undefined): Widget | null {
  if (sent === undefined) return widgetOf(content)
  if (Array.from(JSON.stringify(sent)).length > limits.maxMessageLength)
    throw badRequest('widget_content is too long')
  return sent
}

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
