-- What POST /api/create-payment-intent sends to PostgreSQL: tests/features/platform/bench-statements.test.ts compares.
\set n random(1, 1000000000)
\set order random(300000000, 2100000000)
\set key random(1, 9000000000000000)
select * from "plans" where "id" = 1;
begin;
insert into "orders" ("name", "email", "phone", "company", "postalCode", "quoteId", "planId", "planName", "paymentMethod", "ms365Option", "ms365Users", "includeCloudBackup", "status", "amountCents", "priceLines", "provider", "live", "refundedCents", "requestHash", "createdAt", "customerId", "idempotencyKey", "id") values ('Jane Doe', 'jane-' || :n || '@dealer.example', '404-555-0100', NULL, NULL, NULL, 1, 'Essential', 'credit_card', 'none', 0, 0, 'pending', 45000, '[{"kind":"plan","label":"Essential","unitPrice":45000,"quantity":1,"amount":45000}]', 'test', 0, 0, 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', 1790000000000, NULL, NULL, :order) on conflict do nothing returning *;
insert into "orderStatuses" ("orderId", "status", "at", "cause") values (:order, 'pending', 1790000000000, 'order placed');
insert into "orderAccess" ("orderId", "keyHash") values (:order, 'k-' || :key) on conflict do nothing;
commit;
insert into "testPayments" ("id", "clientSecret", "orderId", "amountCents", "status", "createdAt") values ('test_payment_' || :order, 'test_payment_' || :order || '_secret_' || :key, :order, 45000, 'new', 1790000000000) on conflict do nothing returning *;
update "orders" set "paymentId" = 'test_payment_' || :order, "clientSecret" = 'test_payment_' || :order || '_secret_' || :key, "customerId" = NULL, "subscriptionId" = NULL, "dueCents" = 45000 where "id" = :order and "paymentId" is null and "subscriptionId" is null returning *;
