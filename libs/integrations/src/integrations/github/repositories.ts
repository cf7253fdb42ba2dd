import { z } from 'zod'
import { message } from '../../kernel/integration.ts'
import { on } from '../../shared/event-table.ts'
import { branchTopic, releaseText, releaseTopic } from '../../shared/git.ts'
import { inline, link } from '../../shared/markdown.ts'
import { account, base, fullName, repository, spaced, text, url } from './payloads.ts'

const linkTo = (about: z.output<typeof repository>): string => link(fullName(about), about.html_url)

export const onFork = on(base.extend({ forkee: repository }), ({ payload }, event) => {
  const content = `${inline(payload.sender.login)} forked ${linkTo(payload.repository)} to ${linkTo(payload.forkee)}.`
  return message(event, payload.repository.name, content)
})

export const onPublic = on(base, ({ payload }, event) => {
  const content = `${inline(payload.sender.login)} made the repository ${linkTo(payload.repository)} public.`
  return message(event, payload.repository.name, content)
})

export const onRepository = on(base.extend({ action: z.string() }), ({ payload }, event) => {
  const { action, sender, repository: about } = payload
  const content = `${inline(sender.login)} ${inline(spaced(action))} the repository ${linkTo(about)}.`
  return message(event, about.name, content)
})

export const onStar = on(base.extend({ action: z.string() }), ({ payload }, event) => {
  const verb = payload.action === 'deleted' ? 'unstarred' : 'starred'
  const content = `${inline(payload.sender.login)} ${verb} the repository ${linkTo(payload.repository)}.`
  return message(event, payload.repository.name, content)
})

/** Its only action is `started`, and GitHub sends it for stars. */
export const onWatch = on(base, ({ payload }, event) => {
  const content = `${inline(payload.sender.login)} starred the repository ${linkTo(payload.repository)}.`
  return message(event, payload.repository.name, content)
})

const release = base.extend({
  action: z.string(),
  release: z.looseObject({ name: text, tag_name: text, html_url: url }),
})

export const onRelease = on(release, ({ payload }, event) => {
  const { action, sender, repository: about } = payload
  const { name, tag_name: tag, html_url } = payload.release
  const content = releaseText(sender.login, spaced(action), { name, tag, url: html_url })
  return message(event, releaseTopic(about.name, tag, name), content)
})

const gollum = base.extend({
  pages: z.array(z.looseObject({ action: text, title: text, html_url: url })),
})

export const onGollum = on(gollum, ({ payload }, event) => {
  const pages = payload.pages.map(
    ({ action, title, html_url }) => `${inline(action)} ${link(title, html_url)}`,
  )
  const user = inline(payload.sender.login)
  const content =
    pages.length === 1
      ? `${user} ${pages[0]} in the wiki.`
      : [`${user} changed pages of the wiki:`, '', ...pages.map((page) => `* ${page}`)].join('\n')
  return message(event, branchTopic(payload.repository.name, 'wiki pages'), content)
})

const member = base.extend({ action: z.string(), member: account })

export const onMember = on(member, ({ payload }, event) => {
  const { action, sender, repository: about } = payload
  const person = link(payload.member.login, payload.member.html_url)
  const change =
    action === 'added'
      ? `added ${person} to`
      : action === 'removed'
        ? `removed ${person} from`
        : `changed the permissions of ${person} in`
  return message(event, about.name, `${inline(sender.login)} ${change} ${linkTo(about)}.`)
})
