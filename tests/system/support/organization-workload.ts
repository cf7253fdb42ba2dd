import { endpoints } from '@tms/contracts'
import type { ApiClient } from '@tms/test-kit'
import { onePixel } from './pictures.ts'

const { addLinkifier, listLinkifiers, reorderLinkifiers, removeLinkifier, updateLinkifier } = endpoints.realm
const { addEmailDomain, removeEmailDomain, updateEmailDomain } = endpoints.realm
const { addPlayground, removePlayground } = endpoints.realm
const { deactivateCustomEmoji, deleteIcon, deleteLogo, updateRealm } = endpoints.realm
const picture = { name: 'x.png', content: onePixel }

/** Changes of the organization's settings and content, for `startWorkload`. */
export function organizationWorkload(owner: ApiClient): ((turn: number) => Promise<unknown>)[] {
  return [
    async (turn) => {
      const emoji_name = `workload-${turn}`
      await owner.uploadTo(`/api/v1/realm/emoji/${emoji_name}`, picture)
      if (turn % 2 === 0) await owner.call(deactivateCustomEmoji, { emoji_name })
    },
    // Added last, moved to the front, changed, deleted.
    async (turn) => {
      const linkifier = { pattern: `workload-${turn}`, url_template: 'https://example.com' }
      const { id } = await owner.call(addLinkifier, linkifier)
      const { linkifiers } = await owner.call(listLinkifiers, {})
      const others = linkifiers.map((one) => one.id).filter((other) => other !== id)
      await owner.call(reorderLinkifiers, { ordered_linkifier_ids: [id, ...others] })
      await owner.call(updateLinkifier, { ...linkifier, filter_id: id, url_template: 'https://example.org' })
      if (turn > 3) await owner.call(removeLinkifier, { filter_id: others[0] ?? id })
    },
    async (turn) => {
      const fields = {
        name: `workload ${turn}`,
        highlighter_language: 'Rust',
        url_template: 'https://e.com/{code}',
      }
      const { id } = await owner.call(addPlayground, fields)
      if (turn > 3) await owner.call(removePlayground, { playground_id: id })
    },
    async (turn) => {
      const domain = `workload-${turn}.example`
      await owner.call(addEmailDomain, { domain, allow_subdomains: false })
      await owner.call(updateEmailDomain, { domain, allow_subdomains: turn % 2 === 0 })
      if (turn > 3) await owner.call(removeEmailDomain, { domain })
    },
    async (turn) => {
      const night = turn % 2 === 0
      await owner.uploadTo('/api/v1/realm/icon', picture)
      await owner.uploadTo(`/api/v1/realm/logo?night=${night}`, picture)
      if (turn % 3 === 0) await owner.call(deleteIcon, {})
      else await owner.call(deleteLogo, { night })
    },
    (turn) =>
      owner.call(updateRealm, { description: `turn ${turn}`, edit_topic_policy: turn % 2 === 0 ? 5 : 1 }),
  ]
}
