import { z } from 'zod'
import { defineIntegration, ignored, message, unsupported } from '../kernel/integration.ts'
import { listOf, text, url } from '../shared/fields.ts'
import { code, count, inline, link, list } from '../shared/markdown.ts'

const build = z.looseObject({
  number: text,
  phase: z.string(),
  status: text,
  full_url: url,
  scm: z.looseObject({ branch: text, commit: text, culprits: listOf(text) }).nullish(),
  test_summary: z.looseObject({ total: z.number().nullish(), failed: z.number().nullish() }).nullish(),
})
type Build = z.output<typeof build>

/** Phases of a build. The plugin reports its end twice: before and after what is done with its results. */
const PHASES: ReadonlyMap<string, string> = new Map([
  ['QUEUED', 'queued'],
  ['STARTED', 'started'],
  ['COMPLETED', 'completed'],
  ['FINALIZED', 'finalized'],
])

const ICONS: ReadonlyMap<string, string> = new Map([
  ['SUCCESS', ':check_mark:'],
  ['UNSTABLE', ':warning:'],
  ['FAILURE', ':cross_mark:'],
  ['ABORTED', ':prohibited:'],
  ['NOT_BUILT', ':prohibited:'],
])

export const jenkins = defineIntegration({
  name: 'jenkins',
  displayName: 'Jenkins',
  description: 'Builds that start and end, by the Notification plugin.',
  setup: `In Jenkins, install the plugin **Notification**. In the configuration of a job, under **Job Notifications**, add an endpoint:

* **Format**: JSON; **Protocol**: HTTP
* **Event**: \`Job Completed\`, or \`All Events\` for those that start too
* **URL Source**: Public; **URL**: \`{url}\`

A pipeline without the plugin can post itself, with the integration \`zapier\`, whose payload has \`topic\` and \`content\`. Jenkins' own plugin
for this chat needs no integration: it sends messages as a bot.

Each build ends twice, *completed* and *finalized*. To read of it once, choose one event there or in the address.`,
  events: [...PHASES.values()],
  payload: z.looseObject({ name: text, display_name: text, build }),
  format: ({ payload }) => {
    const { build: about } = payload
    const event = PHASES.get(about.phase)
    if (event === undefined) return unsupported(about.phase)
    const job = payload.display_name || payload.name || 'Jenkins'
    const number = link(`#${about.number}`, about.full_url)
    const status = about.status || event.toUpperCase()
    if (event === 'queued' && about.number === '') return ignored
    const state = event === 'started' || event === 'queued' ? event.toUpperCase() : status
    const icon = ICONS.get(state) ?? ''
    const head = `**Build:** ${number}: **${inline(state)}** ${icon}`.trim()
    return message(event, job, [head, ...detailsOf(about)].join('\n'))
  },
})

function detailsOf({ scm, test_summary: tests }: Build): string[] {
  const failed = tests?.failed ?? 0
  const culprits = (scm?.culprits ?? []).filter((name) => name !== '').map(inline)
  const commit = scm?.commit ? ` at ${code(scm.commit.slice(0, 11))}` : ''
  return [
    ...(scm?.branch ? [`Branch ${code(scm.branch) || '?'}${commit}`] : []),
    ...(failed > 0 ? [`${count(failed, 'test')} of ${tests?.total ?? '?'} failed`] : []),
    ...(culprits.length > 0 ? [`Changes by ${list(culprits)}`] : []),
  ]
}
