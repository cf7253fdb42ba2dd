import { Role } from '@tms/contracts'
import { type Actor, mention } from '../channels/channel-notice.rules.ts'

/** What the new owner of a bot is told, in Markdown. */
export function tellNewOwner(bot: Actor, former: Actor): string {
  return `You own the bot ${mention(bot)} now, which was owned by ${mention(former)} before.

* It has a new API key, because its former owner knows the old one, which no longer works. You find the new key among your bots; programs that use the bot need it.
* An outgoing webhook has a new token too. It still calls the same URL: change that if the server isn't yours.
* It has left the private channels that you aren't in. Its direct messages are still there.`
}

/** What the former owner of a bot is told. A guest may not see everyone, so they aren't told by name who has it now. */
export function tellFormerOwner(bot: Actor, owner: Actor, former: { readonly role: number }): string {
  const whose = former.role === Role.guest ? 'somebody else' : mention(owner)
  return `The bot ${mention(bot)} is owned by ${whose} now. Its old API key no longer works: programs that use the bot need the new key, which its owner has.`
}
