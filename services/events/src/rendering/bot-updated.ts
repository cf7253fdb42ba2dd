import { domainEvents } from '@tms/contracts'
import { fieldsOf, present } from './presentation.ts'

const LOST = 0
const GAINED = 1
const FIRST_CHANGE = 2

/** `realm_bot`: `add` and `delete` where the bot becomes visible or invisible, else one `update` per change. */
export const presentBotUpdated = present(domainEvents.users.botUpdated, {
  list: ({ changed, gained_user_ids, lost_user_ids }, { record: { user_id } }) => {
    if (lost_user_ids.includes(user_id)) return [{ index: LOST, type: 'realm_bot' }]
    if (gained_user_ids.includes(user_id)) return [{ index: GAINED, type: 'realm_bot' }]
    return changed.map((_, at) => ({ index: FIRST_CHANGE + at, type: 'realm_bot' }))
  },
  write: ({ bot, changed }, index) => {
    if (index === GAINED) return fieldsOf({ type: 'realm_bot', op: 'add', bot })
    const { user_id } = bot
    if (index === LOST) return fieldsOf({ type: 'realm_bot', op: 'delete', bot: { user_id } })
    const property = changed[index - FIRST_CHANGE] as keyof typeof bot
    return fieldsOf({ type: 'realm_bot', op: 'update', bot: { user_id, [property]: bot[property] } })
  },
})
