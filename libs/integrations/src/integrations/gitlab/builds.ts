import { z } from 'zod'
import { message } from '../../kernel/integration.ts'
import { on } from '../../shared/event-table.ts'
import { branchTopic } from '../../shared/git.ts'
import { inline, link, list } from '../../shared/markdown.ts'
import { project, text, within } from './payloads.ts'

const job = z.looseObject({
  ref: text,
  build_name: text,
  build_stage: text,
  build_status: text,
  repository: z.looseObject({ name: z.string() }),
})

export const onJob = on(job, ({ payload }, event) => {
  const { ref, build_name, build_stage, build_status, repository } = payload
  const change =
    build_status === 'created'
      ? 'was created'
      : build_status === 'running'
        ? 'started'
        : `changed status to ${inline(build_status)}`
  const content = `Build ${inline(build_name)} from ${inline(build_stage)} stage ${change}.`
  return message(event, branchTopic(repository.name, ref), content)
})

const build = z.looseObject({
  id: z.int(),
  name: text,
  status: text,
  artifacts_file: z.looseObject({ filename: text }).nullish(),
})

const pipeline = z.looseObject({
  project,
  object_attributes: z.looseObject({ id: z.int(), ref: text, status: text }),
  builds: z
    .array(build)
    .nullish()
    .transform((builds) => builds ?? []),
})
type Pipeline = z.output<typeof pipeline>

export const onPipeline = on(pipeline, ({ payload }, event) => {
  const { project: about, object_attributes: run, builds } = payload
  const start = `${link(`Pipeline (${run.id})`, within(about, `pipelines/${run.id}`))} changed status to ${inline(run.status)}`
  const lines = builds.map((each) => `* ${buildText(about, each)}`)
  const content = lines.length === 0 ? `${start}.` : [`${start} with build(s):`, ...lines].join('\n')
  return message(event, branchTopic(about.name, run.ref), content)
})

function buildText(
  about: Pipeline['project'],
  { id, name, status, artifacts_file }: Pipeline['builds'][number],
): string {
  const file = artifacts_file?.filename ?? ''
  const artifact = file === '' ? [] : [`artifact ${link(file, within(about, `jobs/${id}/artifacts/browse`))}`]
  const parts = [inline(status), ...artifact]
  return `${link(name, within(about, `jobs/${id}`))} - ${list(parts)}`
}
