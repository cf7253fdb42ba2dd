import { z } from 'zod'
import { defineIntegration, message } from '../kernel/integration.ts'
import { text, url } from '../shared/fields.ts'
import { inline, link } from '../shared/markdown.ts'

export const zabbix = defineIntegration({
  name: 'zabbix',
  displayName: 'Zabbix',
  description: 'Problems of hosts that begin and end.',
  setup: `In Zabbix, open **Alerts**, **Media types**, **Create media type**, of the **Type** Webhook, with these parameters:

| name       | value              |
| ---------- | ------------------ |
| \`hostname\` | \`{HOST.NAME}\`      |
| \`severity\` | \`{EVENT.SEVERITY}\` |
| \`status\`   | \`{EVENT.STATUS}\`   |
| \`item\`     | \`{ITEM.NAME} is {ITEM.LASTVALUE}\` |
| \`trigger\`  | \`{EVENT.NAME}\`     |
| \`link\`     | \`{$ZABBIX.URL}/tr_events.php?triggerid={TRIGGER.ID}&eventid={EVENT.ID}\` |

and this **Script**:

\`\`\`javascript
var request = new HttpRequest();
request.addHeader('Content-Type: application/json');
request.post('{url}', value);
if (request.getStatus() !== 200) throw 'Status ' + request.getStatus();
return 'OK';
\`\`\`

Under **Message templates**, add those of problem and recovery. Then give a user this media, and an action that notifies that user. The macro
\`{$ZABBIX.URL}\` is the address of Zabbix itself.`,
  events: ['problem', 'resolved', 'update'],
  payload: z.looseObject({
    hostname: z.string(),
    severity: text,
    status: text,
    item: text,
    trigger: text,
    link: url,
  }),
  format: ({ payload }) => {
    const { hostname, severity, status, item, trigger } = payload
    const [event, icon] = kindOf(status)
    const severityText = severity === '' ? '' : ` (${inline(severity)})`
    const head = `${icon} **${inline(status || 'PROBLEM').toUpperCase()}**${severityText} on ${link(hostname, payload.link)}`
    const lines = [trigger, item].filter((line) => line !== '').map((line) => `* ${inline(line)}`)
    const content = lines.length === 0 ? `${head}.` : `${head}:\n\n${lines.join('\n')}`
    return message(event, hostname || 'Zabbix', content)
  },
})

function kindOf(status: string): [string, string] {
  if (/^(ok|resolved)$/i.test(status)) return ['resolved', ':squared_ok:']
  return /^(problem|)$/i.test(status) ? ['problem', ':alert:'] : ['update', ':info:']
}
