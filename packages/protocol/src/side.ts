/** One of the two ends of a connection. */
export type Side = 'agent' | 'client';

/** The other end. */
export type Opposite<S extends Side> = S extends 'agent' ? 'client' : 'agent';
