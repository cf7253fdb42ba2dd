import { badRequest } from '@tms/contracts'
import { describeIssue, wordIssue } from '@tms/service-kit'
import { z } from 'zod'
import type { Widget } from './widget.rules.ts'

interface Change {
  readonly schema: z.ZodType
  /** Only whoever sent the message may make it. */
  readonly isAuthors?: true
}

/** Kinds of widgets that submessages change. */
type ChangingKind = Exclude<Widget['widget_type'], 'zform'>

/** What submessages may do to each kind of widget, by their `type`: exactly these fields, as clients read them. */
const changes: Readonly<Record<ChangingKind, ReadonlyMap<string, Change>>> = {
  poll: new Map<string, Change>([
    ['vote', { schema: changeOf({ key: z.string(), vote: z.literal([1, -1]) }) }],
    ['new_option', { schema: changeOf({ option: z.string(), idx: z.int() }) }],
    ['question', { schema: changeOf({ question: z.string() }), isAuthors: true }],
  ]),
  todo: new Map<string, Change>([
    [
      'new_task',
      { schema: changeOf({ key: z.int(), task: z.string(), desc: z.string(), completed: z.boolean() }) },
    ],
    ['strike', { schema: changeOf({ key: z.string() }) }],
    ['new_task_list_title', { schema: changeOf({ title: z.string() }), isAuthors: true }],
  ]),
}

function changeOf(fields: z.ZodRawShape): z.ZodType {
  return z.strictObject({ type: z.string(), ...fields })
}

/**
 * Checks what someone wants to do to a poll or a to-do list, of which `begin` is the first submessage; what a message
 * of any other kind means by its submessages is its client's to say. Throws BAD_REQUEST.
 */
export function checkWidgetChange(begin: string, content: string, { isAuthor }: { isAuthor: boolean }): void {
  const kind = kindOf(begin)
  if (kind === null) return
  const sent: unknown = JSON.parse(content)
  const type = typeof sent === 'object' && sent !== null && 'type' in sent ? sent.type : undefined
  const change = typeof type === 'string' ? changes[kind].get(type) : undefined
  if (!change) throw badRequest(`A ${kind} takes a type of ${[...changes[kind].keys()].join(', ')}`)
  if (change.isAuthors && !isAuthor)
    throw badRequest(`Only the author of a ${kind} may change that: ${String(type)}`)
  const parsed = change.schema.safeParse(sent, { error: wordIssue })
  if (!parsed.success) throw badRequest(describeIssue('content', parsed.error))
}

function kindOf(begin: string): ChangingKind | null {
  const first: unknown = JSON.parse(begin)
  const kind =
    typeof first === 'object' && first !== null && 'widget_type' in first ? first.widget_type : null
  return kind === 'poll' || kind === 'todo' ? kind : null
}
