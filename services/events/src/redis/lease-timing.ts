/**
 * The partitions of a dead replica move after `leaseMs` and at most one round: within two seconds in all. Too small loses
 * partitions over a pause of the process. Leases are renewed every `roundMs`.
 */
export const leaseTiming = { leaseMs: 1_500, roundMs: 250 }
