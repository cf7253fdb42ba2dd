import { z } from 'zod'
import { defineIntegration, message, unsupported } from '../kernel/integration.ts'
import { text, url } from '../shared/fields.ts'
import { inline, isOpenable, link, quote } from '../shared/markdown.ts'

const payload = z.looseObject({
  check_name: text,
  check_type: text,
  check_params: z.looseObject({ hostname: text, full_url: url }).nullish(),
  current_state: z.string(),
  previous_state: text,
  long_description: text,
  description: text,
})

export const pingdom = defineIntegration({
  name: 'pingdom',
  displayName: 'Pingdom',
  description: 'Checks that go down or come back.',
  setup: `In Pingdom, open **Settings**, **Integrations**, **Add integration**:

1. **Type**: Webhook; **URL**: \`{url}\`
2. Choose the integration in each check, under **Connect integrations**.`,
  events: ['up', 'down'],
  payload,
  format: ({ payload }) => {
    const { check_name: name, check_type: type, check_params: params, current_state: state } = payload
    const event = state.toLowerCase() === 'success' ? 'up' : state.toLowerCase().replace('failing', 'down')
    if (event !== 'up' && event !== 'down') return unsupported(state)
    const host = params?.hostname ?? ''
    const address = params?.full_url || (/^HTTP/i.test(type) && host !== '' ? `https://${host}` : null)
    const service = isOpenable(address) ? link(host || name, address) : inline(host || name)
    const icon = event === 'up' ? ':squared_ok:' : ':alert:'
    const kind = type === '' ? '' : ` (${inline(type)})`
    const previous = payload.previous_state === '' ? '' : ` (was ${inline(payload.previous_state)})`
    const head = `${icon} ${service}${kind} is **${event.toUpperCase()}**${previous}`
    const said = payload.long_description || payload.description
    const reason = said === 'OK' ? '' : said
    return message(
      event,
      `${name || host || 'Pingdom'} status`,
      reason === '' ? `${head}.` : `${head}:\n\n${quote(reason)}`,
    )
  },
})
