import { VisibilityPolicy } from '@tms/contracts'

/**
 * Merges the policies for two topics after one moved to the other. If the other had no messages, that of the moved
 * one applies. Otherwise equal policies stay, unmuted has priority, and other differences cancel out.
 */
export function mergedPolicy(moved: number, existing: number, hadMessages: boolean): number {
  const { none, unmuted } = VisibilityPolicy
  if (!hadMessages || moved === existing) return moved
  return moved === unmuted || existing === unmuted ? unmuted : none
}
