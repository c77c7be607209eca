import driver from 'pg';

// What is used of the driver, for a thread as well, which has no packages to look for where the driver is bundled.
export const Pool: typeof driver.Pool = driver.Pool;
export const Client: typeof driver.Client = driver.Client;

/** Where this module is. */
export const driverPlace: string = import.meta.url;
