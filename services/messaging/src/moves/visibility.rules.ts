/** No policy of one's own. */
export const NO_POLICY = 0
const UNMUTED = 2

/**
 * How a user sees a topic after another one came to it. Where there were no messages, as they saw the other; else
 * equal policies stay, unmuted wins, and whatever else differs cancels out.
 */
export function mergedPolicy(moved: number, present: number, hadMessages: boolean): number {
  if (!hadMessages || moved === present) return moved
  return moved === UNMUTED || present === UNMUTED ? UNMUTED : NO_POLICY
}
