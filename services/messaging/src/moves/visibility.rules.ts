import { VisibilityPolicy } from '@tms/contracts'

/**
 * How a user sees a topic after another one came to it. Where there were no messages, as they saw the other; else
 * equal policies stay, unmuted wins, and whatever else differs cancels out.
 */
export function mergedPolicy(moved: number, present: number, hadMessages: boolean): number {
  const { none, unmuted } = VisibilityPolicy
  if (!hadMessages || moved === present) return moved
  return moved === unmuted || present === unmuted ? unmuted : none
}
