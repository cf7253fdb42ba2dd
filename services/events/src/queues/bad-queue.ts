import { AppError } from '@tms/contracts'

export function badQueue(queueId: string): AppError {
  return new AppError('BAD_EVENT_QUEUE_ID', {
    message: `Bad event queue ID: ${queueId}`,
    details: { queue_id: queueId },
  })
}
