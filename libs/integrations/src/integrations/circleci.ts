import { z } from 'zod'
import { defineIntegration, message, unsupported } from '../kernel/integration.ts'
import { listOf, named, text, url } from '../shared/fields.ts'
import { code, inline, link } from '../shared/markdown.ts'
import { hmacAmong } from '../shared/signatures.ts'

const SHORT_SHA_LENGTH = 11

const vcs = z.looseObject({
  provider_name: text,
  origin_repository_url: url,
  target_repository_url: url,
  revision: text,
  branch: text,
  tag: text,
  commit: z.looseObject({ subject: text, author: named }).nullish(),
})
/** Pipelines of GitLab have this instead. */
const gitlab = z.looseObject({
  web_url: url,
  commit_sha: text,
  commit_title: text,
  commit_author_name: text,
  branch: text,
})
const payload = z.looseObject({
  id: text,
  type: z.string(),
  webhook: named,
  project: named,
  workflow: z.looseObject({ name: text, status: text, url }).nullish(),
  job: z.looseObject({ name: text, status: text }).nullish(),
  pipeline: z
    .looseObject({
      number: text,
      vcs: vcs.nullish(),
      trigger_parameters: z.looseObject({ gitlab: gitlab.nullish() }).nullish(),
      errors: listOf(z.unknown()),
    })
    .nullish(),
})
type Payload = z.output<typeof payload>

const STATES: ReadonlyMap<string, string> = new Map([
  ['success', 'has succeeded'],
  ['failed', 'has failed'],
  ['canceled', 'was canceled'],
  ['unauthorized', 'was not authorized'],
  ['error', 'ended with an error'],
])

export const circleci = defineIntegration({
  name: 'circleci',
  displayName: 'CircleCI',
  description: 'Jobs and workflows that have ended.',
  setup: `In CircleCI, open **Project Settings**, **Webhooks**, **Add Webhook**:

1. **Receiver URL**: \`{url}\`
2. **Secret token**: the value of \`webhook_secret\` in the address; leave it empty if the address has none.
3. **Events**: *Workflow completed*, *Job completed* or both. **Test Ping Event** sends a message at once.`,
  events: ['ping', 'job-completed', 'workflow-completed'],
  signature: hmacAmong('circleci-signature', 'v1'),
  payload,
  deliveryId: ({ id }) => id,
  format: ({ payload }) => {
    const { type, project, workflow, job, pipeline } = payload
    if (type === 'ping') {
      const name = payload.webhook?.name ? ` ${inline(payload.webhook.name)}` : ''
      return message('ping', 'Test event', `The webhook${name} of CircleCI is set up.`)
    }
    if (type !== 'job-completed' && type !== 'workflow-completed') return unsupported(type)
    const isJob = type === 'job-completed'
    const name = code((isJob ? job?.name : workflow?.name) || '?')
    const what = isJob ? `Job ${name}` : `Workflow ${link(name, workflow?.url)}`
    const state = (isJob ? job?.status : workflow?.status) || '?'
    const within = pipeline?.number ? ` within Pipeline #${inline(pipeline.number)}` : ''
    const ended = STATES.get(state) ?? `has the status ${inline(state)}`
    const lines = [`${what}${within} ${ended}.`, triggerText(pipeline)].filter((line) => line !== '')
    return message(type, project?.name || 'CircleCI', lines.join('\n'))
  },
})

/** The commit that a pipeline ran for. */
function triggerText(pipeline: Payload['pipeline']): string {
  const trigger = triggerOf(pipeline)
  if (!trigger || trigger.sha === '') return ''
  const { sha, subject, branch, tag, author } = trigger
  const short = sha.slice(0, SHORT_SHA_LENGTH)
  const title = subject === '' ? short : `${short}: ${subject}`
  const commit = link(title.includes('`') ? title : code(title), trigger.url)
  const on = tag === '' ? (branch === '' ? '' : ` on branch ${code(branch)}`) : ` with tag ${code(tag)}`
  return `Triggered on ${commit}${on}${author === '' ? '' : ` by ${inline(author)}`}.`
}

function triggerOf(pipeline: Payload['pipeline']) {
  const [ofGitlab, of] = [pipeline?.trigger_parameters?.gitlab, pipeline?.vcs]
  if (of) {
    const repository = of.target_repository_url || of.origin_repository_url
    return {
      ...{ sha: of.revision, subject: of.commit?.subject ?? '', branch: of.branch, tag: of.tag },
      author: of.commit?.author?.name ?? '',
      url:
        repository &&
        `${repository}/${/bitbucket/i.test(of.provider_name) ? 'commits' : 'commit'}/${of.revision}`,
    }
  }
  if (!ofGitlab) return null
  const { commit_sha: sha, commit_title: subject, commit_author_name: author, branch, web_url } = ofGitlab
  return { ...{ sha, subject, branch, author, tag: '' }, url: web_url && `${web_url}/-/commit/${sha}` }
}
