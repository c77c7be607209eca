// Shows notifications of the page, and brings it to the front when one is clicked. What the page shows is live: the only request it answers is
// for the page itself, when the server cannot be reached.
const shell = 'offline.html';

self.addEventListener('install', (installation) => {
  installation.waitUntil(self.caches.open(shell).then((cache) => cache.add(new Request(shell, { cache: 'reload' }))));
  void self.skipWaiting();
});
self.addEventListener('fetch', (asking) => {
  const { request } = asking;
  if (request.mode === 'navigate') asking.respondWith(fetch(request).catch(() => self.caches.match(shell)));
});
self.addEventListener('activate', (activation) => activation.waitUntil(self.clients.claim()));
self.addEventListener('notificationclick', (click) => {
  const { notification } = click;
  notification.close();
  click.waitUntil(show(notification.data.address));
});

async function show(address) {
  const windows = await self.clients.matchAll({ type: 'window' });
  const shown = windows.find(({ url }) => url === address) ?? windows[0];
  if (!shown) return self.clients.openWindow(address);
  await shown.focus();
  return shown.url === address ? undefined : shown.navigate(address);
}
