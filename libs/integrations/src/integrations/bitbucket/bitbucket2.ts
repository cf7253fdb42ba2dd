import { z } from 'zod'
import { type Delivery, defineIntegration } from '../../kernel/integration.ts'
import { eventHeader } from '../../kernel/payload-error.ts'
import { handleEvent } from '../../shared/event-table.ts'
import { hmacOfBody } from '../../shared/signatures.ts'
import { cloudEvents } from './cloud-events.ts'

const part = z.looseObject({}).nullish()
const payload = z.looseObject({
  push: part,
  fork: part,
  comment: part,
  commit: part,
  commit_status: part,
  issue: part,
  pullrequest: part,
  changes: z.unknown().optional(),
})
type Payload = z.output<typeof payload>

export const bitbucket2 = defineIntegration({
  name: 'bitbucket2',
  displayName: 'Bitbucket Cloud',
  description: 'Pushes, pull requests, issues, comments and builds of repositories on Bitbucket Cloud.',
  setup: `In the repository on Bitbucket, open **Repository settings**, **Webhooks**, **Add webhook**:

1. **URL**: \`{url}\`
2. **Secret**: the value of \`webhook_secret\` in the address; leave it empty if the address has none.
3. **Triggers**: choose from the full list.`,
  events: [...cloudEvents.keys()],
  parameters: {
    branches: 'Branches whose pushes are shown, separated by commas; `*` stands for any characters.',
  },
  deliveryIdHeader: 'x-request-uuid',
  signature: hmacOfBody('x-hub-signature', 'sha256='),
  encodesAddressAgain: true,
  payload,
  format: (delivery) => handleEvent(cloudEvents, eventOf(delivery.payload, delivery.headers), delivery),
})

/** What a payload is about is in it; what happened to a pull request is in the header alone. */
function eventOf(payload: Payload, headers: Delivery['headers']): string {
  if (payload.push) return 'push'
  if (payload.fork) return 'fork'
  if (payload.pullrequest)
    return eventHeader(headers, 'X-Event-Key')
      .replace(/^pullrequest:comment_/, 'pull_request_comment_')
      .replace(/^pullrequest:/, 'pull_request_')
  if (payload.comment && payload.commit) return 'commit_comment'
  if (payload.commit_status) return 'change_commit_status'
  if (payload.issue && payload.comment) return payload.changes ? 'issue_updated' : 'issue_commented'
  if (payload.issue) return payload.changes ? 'issue_updated' : 'issue_created'
  return eventHeader(headers, 'X-Event-Key')
}
