import { z } from 'zod'
import { defineIntegration, message, type Outcome, unsupported } from '../../kernel/integration.ts'
import { eventHeader } from '../../kernel/payload-error.ts'
import { type EventHandler, type EventTable, handleEvent, on } from '../../shared/event-table.ts'
import { link } from '../../shared/markdown.ts'
import { secretInHeader } from '../../shared/signatures.ts'
import { onJob, onPipeline } from './builds.ts'
import {
  ISSUE_ACTIONS,
  MERGE_REQUEST_ACTIONS,
  NOTEABLE_TYPES,
  onIssue,
  onMergeRequest,
  onNote,
  onWikiPage,
  WIKI_ACTIONS,
} from './items.ts'
import { type GitlabProject, project, text } from './payloads.ts'
import { onPush, onTagPush } from './pushes.ts'

const onTest = on(z.looseObject({ project }), ({ payload }, event) =>
  message(
    event,
    payload.project.name,
    `The webhook of ${link(payload.project.name, payload.project.web_url)} works.`,
  ),
)

const table: EventTable = new Map<string, EventHandler>([
  ['Push Hook', onPush],
  ['Tag Push Hook', onTagPush],
  ['Issue Hook', onIssue],
  ['Confidential Issue Hook', onIssue],
  ['Note Hook', onNote],
  ['Confidential Note Hook', onNote],
  ['Merge Request Hook', onMergeRequest],
  ['Wiki Page Hook', onWikiPage],
  ['Job Hook', onJob],
  ['Build Hook', onJob],
  ['Pipeline Hook', onPipeline],
  ['Test Hook', onTest],
])

/** System hooks name the event in the payload. */
const SYSTEM_EVENTS: ReadonlyMap<string, string> = new Map([
  ['push', 'Push Hook'],
  ['tag_push', 'Tag Push Hook'],
  ['issue', 'Issue Hook'],
  ['note', 'Note Hook'],
  ['merge_request', 'Merge Request Hook'],
  ['wiki_page', 'Wiki Page Hook'],
  ['build', 'Job Hook'],
  ['pipeline', 'Pipeline Hook'],
])

const payload = z.looseObject({ project: project.nullish(), event_name: text, object_kind: text })

export const gitlab = defineIntegration({
  name: 'gitlab',
  displayName: 'GitLab',
  description: 'Pushes, merge requests, issues, comments, jobs and pipelines of projects on GitLab.',
  setup: `On GitLab, in the project or the group:

1. Open **Settings**, then **Webhooks**, then **Add new webhook**.
2. **URL**: \`{url}\`
3. **Secret token**: the value of \`webhook_secret\` in the address; leave it empty if the address has none.
4. Choose the triggers, and press **Add webhook**.
5. **Test** sends an example.`,
  events: [
    'Push Hook',
    'Tag Push Hook',
    ...ISSUE_ACTIONS.map((action) => `Issue Hook ${action}`),
    ...ISSUE_ACTIONS.map((action) => `Confidential Issue Hook ${action}`),
    ...NOTEABLE_TYPES.map((type) => `Note Hook ${type}`),
    'Confidential Note Hook Issue',
    ...MERGE_REQUEST_ACTIONS.map((action) => `Merge Request Hook ${action}`),
    ...WIKI_ACTIONS.map((action) => `Wiki Page Hook ${action}`),
    'Job Hook',
    'Build Hook',
    'Pipeline Hook',
    'Test Hook',
  ],
  parameters: {
    branches: 'Branches whose pushes are shown, separated by commas; `*` stands for any characters.',
    use_merge_request_title: '`false`: topics of merge requests have their number without their title.',
  },
  // GitLab repeats this one when it tries again; the UUID of the event is another then.
  deliveryIdHeader: 'idempotency-key',
  signature: secretInHeader('x-gitlab-token'),
  payload,
  format: (delivery) => {
    const header = eventHeader(delivery.headers, 'X-Gitlab-Event')
    const named = delivery.payload.event_name || delivery.payload.object_kind
    const event = header === 'System Hook' ? SYSTEM_EVENTS.get(named) : header
    if (event === undefined) return unsupported(`${header} ${named}`.trim())
    const outcome = handleEvent(table, event, delivery)
    return delivery.hasTopic ? withProject(outcome, delivery.payload.project) : outcome
  },
})

/** The topic of the address doesn't say which project it is. */
function withProject(outcome: Outcome, about: GitlabProject | null | undefined): Outcome {
  if (!about || outcome.kind === 'unsupported') return outcome
  const prefix = `[${link(about.name, about.web_url)}] `
  const messages = outcome.messages.map((each) => ({ ...each, content: prefix + each.content }))
  return { kind: 'messages', messages }
}
