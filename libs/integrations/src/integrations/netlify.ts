import { z } from 'zod'
import { defineIntegration, message, unsupported } from '../kernel/integration.ts'
import { eventHeader } from '../kernel/payload-error.ts'
import { text, url } from '../shared/fields.ts'
import { code, inline, link, quote } from '../shared/markdown.ts'

const EVENTS: ReadonlyMap<string, string> = new Map([
  ['deploy_building', 'has started'],
  ['deploy_created', 'was successful'],
  ['deploy_failed', 'has failed'],
  ['deploy_locked', 'is locked: it stays published until it is unlocked'],
  ['deploy_unlocked', 'is unlocked'],
])

const ICONS: ReadonlyMap<string, string> = new Map([
  ['deploy_created', ':check_mark: '],
  ['deploy_failed', ':cross_mark: '],
])

export const netlify = defineIntegration({
  name: 'netlify',
  displayName: 'Netlify',
  description: 'Builds and deploys of sites.',
  setup: `On Netlify, open the site's **Site configuration**, **Notifications**, **Emails and webhooks**, **Deploy notifications**, **Add
notification**, **HTTP POST request**: choose an event, and enter \`{url}\` under **URL to notify**. Each event needs a notification of its own.`,
  events: [...EVENTS.keys()],
  payload: z.looseObject({
    id: text,
    name: z.string(),
    branch: text,
    title: text,
    context: text,
    committer: text,
    commit_ref: text,
    commit_url: url,
    error_message: text,
    admin_url: url,
    ssl_url: url,
    url,
    deploy_ssl_url: url,
  }),
  format: ({ payload, headers, hasTopic }) => {
    const event = eventHeader(headers, 'X-Netlify-Event')
    const state = EVENTS.get(event)
    if (state === undefined) return unsupported(event)
    const { name, branch, title, commit_ref: sha, error_message: error } = payload
    const page =
      payload.admin_url && payload.id !== ''
        ? `${payload.admin_url}/deploys/${payload.id}`
        : payload.deploy_ssl_url
    const on = branch === '' ? '' : ` on branch ${code(branch) || '?'}`
    const commit = sha === '' ? '' : ` at ${link(sha.slice(0, 11), payload.commit_url)}`
    const of = hasTopic ? ` of ${link(name, payload.ssl_url || payload.url)}` : ''
    const what = title.trim() === '' ? '' : ` (${inline(title)})`
    const head = `${ICONS.get(event) ?? ''}The ${link('deploy', page)}${of}${on}${commit}${what} ${state}`
    const topic = branch === '' ? name : `${name} / ${branch}`
    return message(event, topic, error.trim() === '' ? `${head}.` : `${head}:\n\n${quote(error)}`)
  },
})
