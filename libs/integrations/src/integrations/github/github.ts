import { z } from 'zod'
import { defineIntegration, ignored, type Outcome } from '../../kernel/integration.ts'
import { eventHeader } from '../../kernel/payload-error.ts'
import { type EventHandler, type EventTable, handleEvent } from '../../shared/event-table.ts'
import { link } from '../../shared/markdown.ts'
import { hmacOfBody } from '../../shared/signatures.ts'
import { onCheckRun, onDeployment, onDeploymentStatus, onPageBuild, onStatus } from './builds.ts'
import { onDiscussion, onDiscussionComment, onIssue, onIssueComment } from './issues.ts'
import {
  onMembership,
  onPing,
  onSponsorship,
  onTeam,
  onTeamAdd,
  SPONSORSHIP_ACTIONS,
} from './organizations.ts'
import { fullName, repository } from './payloads.ts'
import { onPullRequest, onReview, onReviewComment } from './pull-requests.ts'
import { onCommitComment, onCreate, onDelete, onPush } from './pushes.ts'
import {
  onFork,
  onGollum,
  onMember,
  onPublic,
  onRelease,
  onRepository,
  onStar,
  onWatch,
} from './repositories.ts'

/** Handlers whose events have the header's name. */
const SAME_NAME: readonly (readonly [string, EventHandler])[] = [
  ['check_run', onCheckRun],
  ['commit_comment', onCommitComment],
  ['create', onCreate],
  ['delete', onDelete],
  ['deployment', onDeployment],
  ['deployment_status', onDeploymentStatus],
  ['discussion', onDiscussion],
  ['discussion_comment', onDiscussionComment],
  ['fork', onFork],
  ['gollum', onGollum],
  ['issue_comment', onIssueComment],
  ['member', onMember],
  ['membership', onMembership],
  ['page_build', onPageBuild],
  ['ping', onPing],
  ['public', onPublic],
  ['pull_request_review', onReview],
  ['pull_request_review_comment', onReviewComment],
  ['release', onRelease],
  ['repository', onRepository],
  ['star', onStar],
  ['status', onStatus],
  ['team', onTeam],
  ['team_add', onTeamAdd],
  ['watch', onWatch],
]

const IGNORED = [
  'check_suite',
  'label',
  'meta',
  'milestone',
  'organization',
  'project_card',
  'repository_vulnerability_alert',
]

const table: EventTable = new Map<string, EventHandler>([
  ...SAME_NAME,
  ['issues', onIssue],
  ['pull_request', onPullRequest],
  ['push', onPush],
  ['sponsorship', onSponsorship],
  ...IGNORED.map((event) => [event, () => ignored] as const),
])

export const github = defineIntegration({
  name: 'github',
  displayName: 'GitHub',
  description: 'Pushes, pull requests, issues, reviews, checks and releases of repositories on GitHub.',
  setup: `On GitHub, in the repository or the organization:

1. Open **Settings**, then **Webhooks**, then **Add webhook**.
2. **Payload URL**: \`{url}\`
3. **Content type**: \`application/json\`
4. **Secret**: the value of \`webhook_secret\` in the address; leave it empty if the address has none.
5. Choose the events, and press **Add webhook**. GitHub sends a test at once.`,
  events: [
    'assigned_or_unassigned_pull_request',
    'closed_pull_request',
    'issue_labeled_or_unlabeled',
    'issue_milestoned_or_demilestoned',
    'issues',
    'locked_or_unlocked_pull_request',
    'opened_or_update_pull_request',
    'pull_request_auto_merge',
    'pull_request_ready_for_review',
    'pull_request_review_requested',
    'push_commits',
    'push_tags',
    ...SAME_NAME.map(([event]) => event),
    ...SPONSORSHIP_ACTIONS,
  ],
  parameters: {
    branches: 'Branches whose pushes are shown, separated by commas; `*` stands for any characters.',
    ignore_private_repositories: '`true`: nothing is shown of private repositories.',
    include_repository_name: '`true`: messages begin with the name of the repository.',
  },
  deliveryIdHeader: 'x-github-delivery',
  signature: hmacOfBody('x-hub-signature-256', 'sha256='),
  payload: z.looseObject({
    repository: repository.extend({ private: z.boolean().nullish() }).nullish(),
  }),
  format: (delivery) => {
    const { payload, headers, parameters } = delivery
    const event = eventHeader(headers, 'X-GitHub-Event')
    const isHidden = parameters.ignore_private_repositories === 'true' && payload.repository?.private === true
    if (isHidden) return ignored
    const outcome = handleEvent(table, event, delivery)
    return parameters.include_repository_name === 'true'
      ? withRepository(outcome, payload.repository)
      : outcome
  },
})

function withRepository(outcome: Outcome, about: z.output<typeof repository> | null | undefined): Outcome {
  if (!about || outcome.kind === 'unsupported') return outcome
  const prefix = `[${link(fullName(about), about.html_url)}] `
  const messages = outcome.messages.map((each) => ({ ...each, content: prefix + each.content }))
  return { kind: 'messages', messages }
}
