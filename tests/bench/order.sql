-- What POST /api/create-payment-intent sends to PostgreSQL.
\set n random(1, 1000000000)
\set key random(1, 9000000000000000)
SELECT * FROM "orders" WHERE "idempotencyKey" = NULL;
SELECT * FROM "services" ORDER BY "position";
SELECT * FROM "solutions" ORDER BY "position";
SELECT * FROM "plans" ORDER BY "position";
SELECT * FROM "testimonials" ORDER BY "position";
SELECT "customerId" FROM "orders" INNER JOIN "orderAccess" ON "orderAccess"."orderId" = "orders"."id" WHERE "orderAccess"."keyHash" = :key || 'k' AND upper("email") = upper('jane-' || :n || '@dealer.example') AND "live" = 0 AND "customerId" IS NOT NULL ORDER BY "orders"."id" DESC;
BEGIN;
INSERT INTO "orders" ("name", "email", "phone", "postalCode", "planId", "planName", "paymentMethod", "ms365Option", "ms365Users", "includeCloudBackup", "status", "amountCents", "priceLines", "provider", "live", "refundedCents", "requestHash", "createdAt", "customerId", "idempotencyKey") VALUES ('Jane Doe', 'jane-' || :n || '@dealer.example', '404-555-0100', NULL, 1, 'Essential', 'credit_card', 'none', 0, 0, 'pending', 45000, '[{"label":"Essential plan","quantity":1,"unitPrice":45000,"amount":45000}]', 'test', 0, 0, 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', 1790000000000, NULL, NULL) ON CONFLICT ("idempotencyKey") DO NOTHING RETURNING "id" AS order \gset
INSERT INTO "orderStatuses" ("orderId", "status", "at", "cause") VALUES (:order, 'pending', 1790000000000, 'order placed');
COMMIT;
INSERT INTO "orderAccess" ("orderId", "keyHash") VALUES (:order, :key || 'k') ON CONFLICT DO NOTHING;
INSERT INTO "testPayments" ("id", "clientSecret", "orderId", "amountCents", "status", "createdAt") VALUES ('test_payment_' || :order, 'test_payment_' || :order || '_secret_' || :key, :order, 45000, 'new', 1790000000000) ON CONFLICT DO NOTHING;
SELECT "id", "clientSecret", "amountCents" FROM "testPayments" WHERE "orderId" = :order;
UPDATE "orders" SET "paymentId" = 'test_payment_' || :order, "clientSecret" = 'test_payment_' || :order || '_secret_' || :key, "customerId" = NULL, "subscriptionId" = NULL, "dueCents" = 45000 WHERE "id" = :order AND "paymentId" IS NULL AND "subscriptionId" IS NULL;
SELECT * FROM "orders" WHERE "id" = :order;
