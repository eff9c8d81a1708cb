// Two people spend from one account at the same time: each transaction reads the balance, and
// writes what is left. At postgres's default, read committed, one of them may be forgotten.
package main

import (
	"context"
	"database/sql"
	"log"
	"sync"

	_ "github.com/jackc/pgx/v5/stdlib"
)

// spend takes an amount from the account, and tells whether there was enough.
func spend(ctx context.Context, conn *sql.Conn, amount int) (bool, error) {
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return false, err
	}
	defer tx.Rollback()
	var balance int
	if err := tx.QueryRowContext(ctx, "SELECT balance FROM account WHERE id = 1").Scan(&balance); err != nil {
		return false, err
	}
	if balance < amount {
		return false, nil
	}
	// BUG: the row was not locked (FOR UPDATE), so that this may be another balance by now.
	if _, err := tx.ExecContext(ctx, "UPDATE account SET balance = $1 WHERE id = 1", balance-amount); err != nil {
		return false, err
	}
	return true, tx.Commit()
}

func main() {
	ctx := context.Background()
	db, err := sql.Open("pgx", "postgres://postgres@127.0.0.1:5432/postgres?sslmode=disable")
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(ctx, "CREATE TABLE account (id int PRIMARY KEY, balance int); INSERT INTO account VALUES (1, 100)"); err != nil {
		log.Fatal(err)
	}
	var conns [2]*sql.Conn // one for each, as long as they are here
	for i := range conns {
		if conns[i], err = db.Conn(ctx); err != nil {
			log.Fatal(err)
		}
		defer conns[i].Close()
	}
	var people sync.WaitGroup
	var spent [2]bool
	for i, conn := range conns {
		people.Go(func() {
			ok, err := spend(ctx, conn, 80)
			if err != nil {
				log.Fatal(err)
			}
			spent[i] = ok
		})
	}
	people.Wait()
	if spent[0] && spent[1] {
		log.Panic("160 were spent of 100")
	}
}
