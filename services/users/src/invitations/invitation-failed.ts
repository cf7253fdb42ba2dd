import { AppError } from '@tms/contracts'

/** An address that wasn't invited, the reason, and whether a deactivated account has it. */
export type InviteeFault = readonly [email: string, reason: string, isDeactivated: boolean]

/** The error of sending invitations, with the fields that clients read (API document, "Errors"). */
export function invitationFailedError(
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
      // There are no licences.
      license_limit_reached: false,
    },
  })
}
