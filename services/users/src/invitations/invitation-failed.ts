import { AppError } from '@tms/contracts'

/** An address that wasn't invited, why, and whether a deactivated account has it. */
export type InviteeFault = readonly [email: string, reason: string, isDeactivated: boolean]

/** The error of sending invitations with all that clients read of it (API document, "Errors"). */
export function invitationFailed(
  message: string,
  {
    errors = [],
    isSent = false,
    isLimitReached = false,
  }: { errors?: readonly InviteeFault[]; isSent?: boolean; isLimitReached?: boolean } = {},
): AppError {
  return new AppError('INVITATION_FAILED', {
    message,
    details: {
      errors,
      sent_invitations: isSent,
      daily_limit_reached: isLimitReached,
      // Nobody pays by the head.
      license_limit_reached: false,
    },
  })
}
