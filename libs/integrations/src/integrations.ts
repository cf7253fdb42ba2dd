import { airbrake } from './integrations/airbrake.ts'
import { alertmanager } from './integrations/alertmanager.ts'
import { azuredevops } from './integrations/azuredevops/azuredevops.ts'
import { bitbucket2 } from './integrations/bitbucket/bitbucket2.ts'
import { bitbucket3 } from './integrations/bitbucket/bitbucket3.ts'
import { circleci } from './integrations/circleci.ts'
import { datadog } from './integrations/datadog.ts'
import { forgejo, gitea, gogs } from './integrations/gitea/gitea.ts'
import { github } from './integrations/github/github.ts'
import { gitlab } from './integrations/gitlab/gitlab.ts'
import { grafana } from './integrations/grafana/grafana.ts'
import { helloworld } from './integrations/helloworld.ts'
import { ifttt } from './integrations/ifttt.ts'
import { jenkins } from './integrations/jenkins.ts'
import { jira } from './integrations/jira/jira.ts'
import { json } from './integrations/json.ts'
import { linear } from './integrations/linear.ts'
import { mattermost } from './integrations/mattermost.ts'
import { n8n } from './integrations/n8n.ts'
import { netlify } from './integrations/netlify.ts'
import { newrelic } from './integrations/newrelic.ts'
import { opsgenie } from './integrations/opsgenie.ts'
import { pagerduty } from './integrations/pagerduty/pagerduty.ts'
import { pingdom } from './integrations/pingdom.ts'
import { rollbar } from './integrations/rollbar.ts'
import { sentry } from './integrations/sentry/sentry.ts'
import { slack } from './integrations/slack.ts'
import { slackIncoming } from './integrations/slack-incoming/slack-incoming.ts'
import { statuspage } from './integrations/statuspage.ts'
import { stripe } from './integrations/stripe/stripe.ts'
import { travis } from './integrations/travis.ts'
import { uptimekuma } from './integrations/uptimekuma.ts'
import { uptimerobot } from './integrations/uptimerobot.ts'
import { zabbix } from './integrations/zabbix.ts'
import { zapier } from './integrations/zapier.ts'
import type { AnyIntegration } from './kernel/integration.ts'

/** Every integration, by name. */
export const integrations: readonly AnyIntegration[] = [
  airbrake,
  alertmanager,
  azuredevops,
  bitbucket2,
  bitbucket3,
  circleci,
  datadog,
  forgejo,
  gitea,
  github,
  gitlab,
  gogs,
  grafana,
  helloworld,
  ifttt,
  jenkins,
  jira,
  json,
  linear,
  mattermost,
  n8n,
  netlify,
  newrelic,
  opsgenie,
  pagerduty,
  pingdom,
  rollbar,
  sentry,
  slack,
  slackIncoming,
  statuspage,
  stripe,
  travis,
  uptimekuma,
  uptimerobot,
  zabbix,
  zapier,
]

const byName = new Map(integrations.map((integration) => [integration.name, integration]))

/** Undefined if there is none of this name. */
export const findIntegration = (name: string): AnyIntegration | undefined => byName.get(name)
