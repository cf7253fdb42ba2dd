import { z } from 'zod'
import { ignored, message } from '../../kernel/integration.ts'
import { on } from '../../shared/event-table.ts'
import { branchTopic, commitLink, withQuote } from '../../shared/git.ts'
import { inline, link } from '../../shared/markdown.ts'
import { account, base, commitUrl, spaced, text, url } from './payloads.ts'

const checkRun = base.extend({
  check_run: z.looseObject({
    name: text,
    html_url: url,
    status: text,
    conclusion: text,
    head_sha: z.string(),
  }),
})

export const onCheckRun = on(checkRun, ({ payload }, event) => {
  const { check_run: run, repository } = payload
  if (run.status !== 'completed') return ignored
  const commit = commitLink(run.head_sha, commitUrl(repository, run.head_sha))
  const content = `Check ${link(run.name, run.html_url)} completed (${inline(spaced(run.conclusion))}). (${commit})`
  return message(event, branchTopic(repository.name, 'checks'), content)
})

const status = base.extend({
  sha: z.string(),
  state: text,
  context: text,
  description: text,
  target_url: url,
})

export const onStatus = on(status, ({ payload }, event) => {
  const { sha, state, context, description, target_url, repository } = payload
  const commit = commitLink(sha, commitUrl(repository, sha))
  const source = context === '' && !target_url ? '' : ` (${link(context || 'details', target_url)})`
  const content = withQuote(`${commit} has the status ${inline(state)}${source}`, description)
  return message(event, repository.name, content)
})

const deployment = z.looseObject({ environment: text, ref: text, sha: text, description: text })
type Deployment = z.output<typeof deployment>

const deploymentTopic = (repository: string, { environment }: Deployment): string =>
  branchTopic(repository, `Deployment on ${environment}`)

const toEnvironment = ({ environment }: Deployment, hasTopic: boolean): string =>
  hasTopic && environment !== '' ? ` on ${inline(environment)}` : ''

export const onDeployment = on(base.extend({ deployment }), ({ payload, hasTopic }, event) => {
  const { sender, repository, deployment: about } = payload
  const commit = about.sha === '' ? '' : ` of ${commitLink(about.sha, commitUrl(repository, about.sha))}`
  const start = `${inline(sender.login)} created a deployment${toEnvironment(about, hasTopic)}${commit}`
  return message(event, deploymentTopic(repository.name, about), withQuote(start, about.description))
})

const deploymentStatus = base.extend({
  deployment,
  deployment_status: z.looseObject({ state: text, description: text, target_url: url }),
})

export const onDeploymentStatus = on(deploymentStatus, ({ payload, hasTopic }, event) => {
  const { repository, deployment: about, deployment_status: now } = payload
  const start = `${link('Deployment', now.target_url)}${toEnvironment(about, hasTopic)}`
  const content = withQuote(`${start} changed its status to ${inline(spaced(now.state))}`, now.description)
  return message(event, deploymentTopic(repository.name, about), content)
})

const pageBuild = base.extend({
  build: z.looseObject({
    status: text,
    pusher: account.nullish(),
    error: z.looseObject({ message: text }).nullish(),
  }),
})

export const onPageBuild = on(pageBuild, ({ payload }, event) => {
  const { sender, repository, build } = payload
  const user = inline((build.pusher ?? sender).login)
  const start = `The build of GitHub Pages by ${user} has the status ${inline(build.status)}`
  return message(event, repository.name, withQuote(start, build.error?.message))
})
