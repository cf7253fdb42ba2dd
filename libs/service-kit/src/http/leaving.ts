/**
 * Header of a service's answers while it is leaving. The gateway then chooses another replica: connections that wait to be
 * accepted when a server stops listening are reset, and requests over them that change something can't be repeated.
 */
export const LEAVING_HEADER = 'tms-leaving'
