import driver from 'pg';

// The used part of the driver. The worker thread imports it too, which cannot find packages where the driver is bundled.
export const Pool: typeof driver.Pool = driver.Pool;
export const Client: typeof driver.Client = driver.Client;

/** The URL of this module. */
export const driverPlace: string = import.meta.url;
