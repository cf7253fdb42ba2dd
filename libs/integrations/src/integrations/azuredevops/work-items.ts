import { z } from 'zod'
import { message } from '../../kernel/integration.ts'
import { on } from '../../shared/event-table.ts'
import { text, url } from '../../shared/fields.ts'
import { inline, link, quote } from '../../shared/markdown.ts'

/** By names such as `System.Title`. */
const fields = z.record(z.string(), z.unknown()).nullish()
type Fields = z.output<typeof fields>

const workItem = z.looseObject({
  resource: z.looseObject({
    id: z.union([z.string(), z.number()]).nullish(),
    // Of updates, whose own ID is that of the update.
    workItemId: z.number().nullish(),
    fields,
    revision: z.looseObject({ fields }).nullish(),
    revisedBy: z.looseObject({ displayName: text }).nullish(),
    _links: z
      .looseObject({
        html: z.looseObject({ href: url }).nullish(),
        parent: z.looseObject({ href: url }).nullish(),
      })
      .nullish(),
  }),
})
type Resource = z.output<typeof workItem>['resource']

const VERBS: ReadonlyMap<string, string> = new Map([
  ['workitem.created', 'created'],
  ['workitem.updated', 'updated'],
  ['workitem.deleted', 'deleted'],
  ['workitem.restored', 'restored'],
])

/** A field as a text; empty if it isn't there. Persons are objects in newer versions, `Ada <ada@example.com>` in older ones. */
function textOf(of: Fields, name: string): string {
  const value = of && Object.hasOwn(of, name) ? of[name] : null
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const { success, data } = z.looseObject({ displayName: text }).safeParse(value)
  return success ? data.displayName : ''
}

/** Without the address behind it. */
const nameOf = (person: string): string => person.split('<', 1)[0]?.trim() || 'Someone'

/** An update has the fields that changed, and all of them in its revision. */
const allFields = ({ revision, fields: own }: Resource): Fields => revision?.fields ?? own

function about(resource: Resource) {
  const all = allFields(resource)
  const number = resource.workItemId ?? resource.id ?? '?'
  const name =
    `${textOf(all, 'System.WorkItemType') || 'Work item'} #${number} ${textOf(all, 'System.Title')}`.trim()
  const page = resource._links?.html?.href || resource._links?.parent?.href
  const user =
    resource.revisedBy?.displayName || textOf(all, 'System.ChangedBy') || textOf(all, 'System.CreatedBy')
  return { topic: name, name: link(name, page), user: inline(nameOf(user)) }
}

const CHANGES: readonly (readonly [field: string, label: string])[] = [
  ['System.State', 'State'],
  ['System.Title', 'Title'],
  ['System.AssignedTo', 'Assigned to'],
  ['System.IterationPath', 'Iteration'],
  ['Microsoft.VSTS.Common.Priority', 'Priority'],
]

const change = z.looseObject({ oldValue: z.unknown().optional(), newValue: z.unknown().optional() })

/** What an item is, or how it has changed. */
function lines({ fields: own }: Resource, event: string): string[] {
  return CHANGES.flatMap(([field, label]) => {
    if (event === 'workitem.created') {
      const value = field === 'System.Title' ? '' : textOf(own, field)
      return value === '' ? [] : [`* **${label}**: ${inline(nameOf(value))}`]
    }
    const { success, data } = change.safeParse(own && Object.hasOwn(own, field) ? own[field] : null)
    if (event !== 'workitem.updated' || !success) return []
    const [from, to] = [data.oldValue, data.newValue].map((value) => textOf({ value }, 'value'))
    return [`* **${label}**: ${from ? `${inline(nameOf(from))} → ` : ''}${to ? inline(nameOf(to)) : 'none'}`]
  })
}

export const onWorkItem = on(workItem, ({ payload }, event) => {
  const { topic, name, user } = about(payload.resource)
  const head = `${user} ${VERBS.get(event) ?? 'updated'} ${name}`
  const details = lines(payload.resource, event)
  return message(event, topic, details.length === 0 ? `${head}.` : `${head}:\n\n${details.join('\n')}`)
})

export const onWorkItemComment = on(workItem, ({ payload }, event) => {
  const { topic, name, user } = about(payload.resource)
  // HTML, of which the words are shown.
  const said = withoutTags(textOf(allFields(payload.resource), 'System.History')).trim()
  const head = `${user} commented on ${name}`
  return message(event, topic, said === '' ? `${head}.` : `${head}:\n\n${quote(said)}`)
})

const withoutTags = (html: string): string =>
  html
    .replace(/<(br|\/p|\/div|\/li)\s*\/?>/gi, '\n')
    .replace(/<[^<>]*>/g, '')
    .replaceAll('&nbsp;', ' ')
