import { z } from 'zod'
import { defineIntegration, ignored, message } from '../kernel/integration.ts'
import { text, url } from '../shared/fields.ts'
import { inline, link } from '../shared/markdown.ts'

const GOOD = new Set(['Passed', 'Fixed'])
const BAD = new Set(['Failed', 'Broken', 'Still Failing', 'Errored', 'Canceled'])

export const travis = defineIntegration({
  name: 'travis',
  displayName: 'Travis CI',
  description: 'Builds that have ended.',
  setup: `In \`.travis.yml\`:

\`\`\`yaml
notifications:
  webhooks:
    urls:
      - "{url}"
\`\`\``,
  events: ['push', 'pull_request', 'cron', 'api'],
  parameters: {
    ignore_pull_requests: '`false`: builds of pull requests are shown too; by default they aren’t.',
  },
  body: 'form',
  payload: z.looseObject({
    number: text,
    type: z.string(),
    status_message: text,
    build_url: url,
    compare_url: url,
    branch: text,
    message: text,
    author_name: text,
    pull_request_number: text,
    pull_request_title: text,
    repository: z.looseObject({ name: text, owner_name: text }).nullish(),
  }),
  format: ({ payload, parameters }) => {
    const { type, status_message: state, pull_request_number: number, pull_request_title: title } = payload
    const isPullRequest = type === 'pull_request'
    if (isPullRequest && parameters.ignore_pull_requests !== 'false') return ignored
    const icon = GOOD.has(state) ? ' :thumbs_up:' : BAD.has(state) ? ' :thumbs_down:' : ''
    const repository = payload.repository?.name ?? ''
    const of = isPullRequest ? `PR #${number} ${title}`.trim() : `branch ${payload.branch || '?'}`
    const lines = [
      `${link(`Build ${payload.number}`.trim(), payload.build_url)} of ${inline(of)}: **${inline(state || 'unknown')}**${icon}`,
      `Author: ${inline(payload.author_name || 'unknown')}, ${link('changes', payload.compare_url)}`,
    ]
    return message(
      EVENTS.has(type) ? type : 'push',
      repository === '' ? 'builds' : `${repository} / builds`,
      lines.join('\n'),
    )
  },
})

const EVENTS = new Set(['push', 'pull_request', 'cron', 'api'])
