import { z } from 'zod'
import { ignored, message, unsupported } from '../../kernel/integration.ts'
import { on } from '../../shared/event-table.ts'
import { inline, link, list } from '../../shared/markdown.ts'
import { account, base, fullName, repository, spaced, text, url } from './payloads.ts'

const sender = z.looseObject({ sender: account })
const organization = z.looseObject({ login: z.string() })
const team = z.looseObject({ name: text, html_url: url })

const membership = sender.extend({ action: z.string(), member: account, team, organization })

export const onMembership = on(membership, ({ payload }, event) => {
  const { action, member, organization: about } = payload
  const person = link(member.login, member.html_url)
  const change = action === 'added' ? `added ${person} to` : `removed ${person} from`
  const content = `${inline(payload.sender.login)} ${change} the team ${link(payload.team.name, payload.team.html_url)}.`
  return message(event, `${about.login} organization`, content)
})

const before = z.looseObject({ from: text }).nullish()
const teamChange = sender.extend({
  action: z.string(),
  team: team.extend({ description: text, privacy: text }),
  repository: repository.nullish(),
  changes: z
    .looseObject({
      name: before,
      description: before,
      privacy: before,
      repository: z.looseObject({}).nullish(),
    })
    .nullish(),
})

/** Its other actions are said by `team_add` and `membership`. */
export const onTeam = on(teamChange, ({ payload }, event) => {
  if (payload.action !== 'edited') return ignored
  const { team: about, changes } = payload
  const said = [
    changes?.name ? `its name from ${inline(changes.name.from)} to ${inline(about.name)}` : '',
    changes?.description ? 'its description' : '',
    changes?.privacy ? `its visibility to ${inline(about.privacy)}` : '',
    changes?.repository && payload.repository
      ? `its permissions in ${link(fullName(payload.repository), payload.repository.html_url)}`
      : '',
  ].filter((part) => part !== '')
  const team = `the team ${link(about.name, about.html_url)}`
  const user = inline(payload.sender.login)
  const content = said.length === 0 ? `${user} edited ${team}.` : `${user} edited ${team}: ${list(said)}.`
  return message(event, `team ${changes?.name?.from || about.name}`, content)
})

export const onTeamAdd = on(base.extend({ team }), ({ payload }, event) => {
  const { repository: about, team: added } = payload
  const what = link(fullName(about), about.html_url)
  const content = `${inline(payload.sender.login)} gave the team ${link(added.name, added.html_url)} access to ${what}.`
  return message(event, about.name, content)
})

const ping = sender.extend({
  zen: text,
  repository: repository.nullish(),
  organization: organization.nullish(),
  hook: z.looseObject({ type: text }).nullish(),
})

export const onPing = on(ping, ({ payload }, event) => {
  const { repository: about, organization: owner } = payload
  const where = about?.name ?? (owner ? `${owner.login} organization` : null)
  const content = `${inline(payload.sender.login)} set up the webhook of GitHub.`
  return message(event, where ?? (payload.hook?.type === 'SponsorsListing' ? 'sponsors' : 'GitHub'), content)
})

const tier = z.looseObject({ name: text })
const sponsorship = sender.extend({
  action: z.string(),
  effective_date: text,
  sponsorship: z.looseObject({ sponsor: account.nullish(), tier: tier.nullish() }),
  changes: z.looseObject({ tier: z.looseObject({ from: tier }).nullish() }).nullish(),
})
type Sponsorship = z.output<typeof sponsorship>

export const SPONSORSHIP_ACTIONS = [
  'cancelled',
  'created',
  'edited',
  'pending_cancellation',
  'pending_tier_change',
  'tier_changed',
] as const

/** The action is the name of the event. */
export const onSponsorship = on(sponsorship, ({ payload }) => {
  const event = SPONSORSHIP_ACTIONS.find((action) => action === payload.action)
  return event === undefined
    ? unsupported(`sponsorship ${payload.action}`)
    : message(event, 'sponsors', sponsorshipText(payload))
})

function sponsorshipText({
  action,
  sponsorship: about,
  changes,
  effective_date,
  ...rest
}: Sponsorship): string {
  const user = inline((about.sponsor ?? rest.sender).login)
  const now = inline(about.tier?.name ?? '?')
  const tiers = changes?.tier ? `from ${inline(changes.tier.from.name)} to ${now}` : `to ${now}`
  const date = effective_date === '' ? '' : ` on ${inline(effective_date.slice(0, 10))}`
  switch (action) {
    case 'created':
      return `${user} began to sponsor you: ${now}.`
    case 'cancelled':
      return `${user} cancelled the sponsorship: ${now}.`
    case 'pending_cancellation':
      return `${user} will end the sponsorship${date}: ${now}.`
    case 'pending_tier_change':
      return `${user} will change the tier of the sponsorship ${tiers}${date}.`
    case 'tier_changed':
      return `${user} changed the tier of the sponsorship ${tiers}.`
    default:
      return `${user} ${inline(spaced(action))} the sponsorship.`
  }
}
