import { badRequest } from '@tms/contracts'
import { describeIssue, wordIssue } from '@tms/service-kit'
import { z } from 'zod'
import type { Widget } from './widget.rules.ts'

interface Change {
  readonly schema: z.ZodType
  /** Only the author of the message may make it. */
  readonly isAuthors?: true
}

/** Kinds of widgets that submessages change. */
type ChangingKind = Exclude<Widget['widget_type'], 'zform'>

/**
 * Changes that submessages may make to each kind of widget, by `type`: exactly these fields, as clients read them.
 */
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
 * Validates a change of a poll or a to-do list, whose first submessage is `firstContent`. For messages of other
 * kinds clients decide what submessages mean. Throws BAD_REQUEST.
 */
export function checkWidgetChange(
  firstContent: string,
  content: string,
  { isAuthor }: { isAuthor: boolean },
): void {
  const kind = kindOf(firstContent)
  if (kind === null) return
  const requested: unknown = JSON.parse(content)
  const type =
    typeof requested === 'object' && requested !== null && 'type' in requested ? requested.type : undefined
  const change = typeof type === 'string' ? changes[kind].get(type) : undefined
  if (!change) throw badRequest(`A ${kind} takes a type of ${[...changes[kind].keys()].join(', ')}`)
  if (change.isAuthors && !isAuthor)
    throw badRequest(`Only the author of a ${kind} may change that: ${String(type)}`)
  const parsed = change.schema.safeParse(requested, { error: wordIssue })
  if (!parsed.success) throw badRequest(describeIssue('content', parsed.error))
}

function kindOf(firstContent: string): ChangingKind | null {
  const first: unknown = JSON.parse(firstContent)
  const kind =
    typeof first === 'object' && first !== null && 'widget_type' in first ? first.widget_type : null
  return kind === 'poll' || kind === 'todo' ? kind : null
}
