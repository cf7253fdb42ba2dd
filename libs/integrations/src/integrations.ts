import { alertmanager } from './integrations/alertmanager.ts'
import { forgejo, gitea, gogs } from './integrations/gitea/gitea.ts'
import { github } from './integrations/github/github.ts'
import { gitlab } from './integrations/gitlab/gitlab.ts'
import { grafana } from './integrations/grafana/grafana.ts'
import { ifttt } from './integrations/ifttt.ts'
import { json } from './integrations/json.ts'
import { mattermost } from './integrations/mattermost.ts'
import { pagerduty } from './integrations/pagerduty.ts'
import { slack } from './integrations/slack.ts'
import { slackIncoming } from './integrations/slack-incoming/slack-incoming.ts'
import { uptimekuma } from './integrations/uptimekuma.ts'
import { uptimerobot } from './integrations/uptimerobot.ts'
import { zapier } from './integrations/zapier.ts'
import type { AnyIntegration } from './kernel/integration.ts'

/** Every integration, by name. */
export const integrations: readonly AnyIntegration[] = [
  alertmanager,
  forgejo,
  gitea,
  github,
  gitlab,
  gogs,
  grafana,
  ifttt,
  json,
  mattermost,
  pagerduty,
  slack,
  slackIncoming,
  uptimekuma,
  uptimerobot,
  zapier,
]

const byName = new Map(integrations.map((integration) => [integration.name, integration]))

/** Undefined if there is none of this name. */
export const findIntegration = (name: string): AnyIntegration | undefined => byName.get(name)
