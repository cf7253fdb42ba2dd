import { Role } from '@tms/contracts'
import { type Actor, mention } from '../channels/channel-notice.rules.ts'

/** The notice to the new owner of a bot, in Markdown. */
export function writeNewOwnerNotice(
  bot: Actor & { readonly isOutgoingWebhook: boolean },
  former: Actor,
): string {
  const token = bot.isOutgoingWebhook
    ? "\n* It has a new token too. It still calls the same URL: change that if the server isn't yours."
    : ''
  return `You own the bot ${mention(bot)} now, which was owned by ${mention(former)} before.

* It has a new API key, because its former owner knows the old one, which no longer works. You find the new key among your bots; programs that use the bot need it.${token}
* It has left the private channels that you may not join. Its direct messages are still there.`
}

/**
 * The notice to the former owner of a bot. A guest may not see all users, so the notice to a guest doesn't name the
 * new owner.
 */
export function writeFormerOwnerNotice(bot: Actor, owner: Actor, former: { readonly role: number }): string {
  const whose = former.role === Role.guest ? 'somebody else' : mention(owner)
  return `The bot ${mention(bot)} is owned by ${whose} now. Its old API key no longer works: programs that use the bot need the new key, which its owner has.`
}
