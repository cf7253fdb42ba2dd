import { z } from 'zod'
import { defineIntegration, message, type Outcome, unsupported } from '../kernel/integration.ts'
import { text, url } from '../shared/fields.ts'
import { code, inline, link } from '../shared/markdown.ts'

const payload = z.looseObject({
  event_name: z.string(),
  data: z.looseObject({
    url,
    message: text,
    item: z
      .looseObject({
        title: text,
        counter: text,
        environment: text,
        level: text,
        total_occurrences: text,
        public_item_id: text,
      })
      .nullish(),
    trigger: z.looseObject({ threshold: text, window_size_description: text }).nullish(),
    deploy: z
      .looseObject({ environment: text, revision: text, local_username: text, comment: text, status: text })
      .nullish(),
  }),
})
type Payload = z.output<typeof payload>

/** What is said of an item. */
const ITEMS: ReadonlyMap<string, string> = new Map([
  ['new_item', ':alert: **New:**'],
  ['occurrence', ':alert: **Again:**'],
  ['exp_repeat_item', ':alert: **Repeated:**'],
  ['item_velocity', ':alert: **Frequent:**'],
  ['reactivated_item', ':alert: **Reactivated:**'],
  ['reopened_item', ':alert: **Reopened:**'],
  ['resolved_item', ':squared_ok: **Resolved:**'],
])

const LEVELS: ReadonlyMap<string, string> = new Map([
  ['50', 'critical'],
  ['40', 'error'],
  ['30', 'warning'],
  ['20', 'info'],
  ['10', 'debug'],
])

export const rollbar = defineIntegration({
  name: 'rollbar',
  displayName: 'Rollbar',
  description: 'Errors that are new, frequent or resolved, and deploys.',
  setup: `In Rollbar, open the project's **Settings**, **Notifications**, **Webhook**, enter \`{url}\` under **URL**, and choose the rules. **Send test
notification** sends a message at once.`,
  events: [...ITEMS.keys(), 'deploy', 'test'],
  payload,
  format: ({ payload }) => {
    const { event_name: event, data } = payload
    if (event === 'test')
      return message(event, 'Rollbar', inline(data.message) || 'The webhook of Rollbar is set up.')
    if (event === 'deploy' && data.deploy) return ofDeploy(data.deploy)
    const start = ITEMS.get(event)
    return start === undefined || !data.item ? unsupported(event) : ofItem(event, start, data)
  },
})

function ofItem(event: string, start: string, { item, url: address, trigger }: Payload['data']): Outcome {
  const title = item?.title || 'Item'
  const id = item?.public_item_id ?? ''
  const page = address || (/^\d+$/.test(id) ? `https://rollbar.com/item/${id}/` : null)
  const counter = item?.counter ? `#${item.counter} ` : ''
  const details = [
    LEVELS.get(item?.level ?? '') ?? item?.level ?? '',
    item?.environment ?? '',
    event === 'item_velocity' && trigger?.threshold
      ? `${trigger.threshold} in ${trigger.window_size_description || 'a while'}`
      : '',
    Number(item?.total_occurrences) > 1 ? `${item?.total_occurrences} in all` : '',
  ].filter((part) => part !== '')
  const about = details.length === 0 ? '' : ` (${inline(details.join(', '))})`
  return message(event, title, `${start} ${link(`${counter}${title}`, page)}${about}`)
}

function ofDeploy({
  environment,
  revision,
  local_username: user,
  comment,
  status,
}: NonNullable<Payload['data']['deploy']>): Outcome {
  const said = comment.trim() === '' ? '' : `: ${inline(comment)}`
  const what = code(revision.slice(0, 11)) || 'a revision'
  const where = environment || 'production'
  const isDone = status === '' || status === 'succeeded'
  const head = isDone
    ? `${inline(user || 'Somebody')} deployed ${what} to **${inline(where)}**`
    : `Deploy of ${what} to **${inline(where)}**${user === '' ? '' : ` by ${inline(user)}`} has the status **${inline(status)}**`
  return message('deploy', `Deploys to ${where}`, head + said)
}
