import { z } from 'zod'
import { defineIntegration } from '../../kernel/integration.ts'
import { eventHeader } from '../../kernel/payload-error.ts'
import { handleEvent } from '../../shared/event-table.ts'
import { hmacOfBody } from '../../shared/signatures.ts'
import { giteaEvents } from './events.ts'

/** Gitea and what descends from the same code: they differ by their names and the prefix of their headers. */
const relative = <const Name extends string>(name: Name, displayName: string, prefix: string) =>
  defineIntegration({
    name,
    displayName,
    description: `Pushes, pull requests, issues, comments and releases of repositories on ${displayName}.`,
    setup: `On ${displayName}, in the repository or the organization:

1. Open **Settings**, then **Webhooks**, then **Add Webhook**, and choose **${displayName}**.
2. **URL**: \`{url}\`
3. **Method**: \`POST\`; **content type**: \`application/json\`
4. **Secret**: the value of \`webhook_secret\` in the address; leave it empty if the address has none.
5. Choose the events, and press **Add Webhook**.`,
    events: [...giteaEvents.keys()],
    parameters: {
      branches: 'Branches whose pushes are shown, separated by commas; `*` stands for any characters.',
    },
    deliveryIdHeader: `x-${prefix.toLowerCase()}-delivery`,
    signature: hmacOfBody(`x-${prefix.toLowerCase()}-signature`),
    payload: z.looseObject({}),
    format: (delivery) =>
      handleEvent(giteaEvents, eventHeader(delivery.headers, `X-${prefix}-Event`), delivery),
  })

export const gitea = relative('gitea', 'Gitea', 'Gitea')
export const gogs = relative('gogs', 'Gogs', 'Gogs')
/** All its versions send Gitea's headers, beside their own. */
export const forgejo = relative('forgejo', 'Forgejo', 'Gitea')
